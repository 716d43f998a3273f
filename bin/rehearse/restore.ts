import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { longRequests } from '../../lib/store/connections.ts';
import { stackOutputs } from '../admin/installation.ts';
import { drill } from '../restore-drill/drill.ts';
import { stackName } from './assembly.ts';

/** `node bin/restore-drill.ts` on the emulator. Nothing writes meanwhile, so every item must be the same. */
export async function restoreDrill(): Promise<{ result: undefined; notes: string[]; isRight: boolean }> {
  const { TableName: table = '' } = await stackOutputs(stackName);
  const client = new DynamoDBClient({ requestHandler: longRequests });
  const options = { table, restoredTable: `${table}-drill`, sample: 10_000, poll: 200 };
  const { seconds, sampled, same, changed, problems } = await drill(client, options);
  return {
    result: undefined,
    notes: [`restored in ${seconds} s, ${same} of ${sampled} items the same`, ...problems],
    isRight: problems.length === 0 && changed === 0,
  };
}
