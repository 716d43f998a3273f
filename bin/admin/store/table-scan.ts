import { type DynamoDBDocumentClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Item } from '../../../lib/store/table/database.ts';
import { teamPartition } from '../../../lib/store/table/keys.ts';
import { Retries, type RetryLimits } from '../../../lib/store/table/retrying.ts';
import { itemReader } from '../../../lib/store/table/stored-item.ts';

/** Of commands, which can work for many minutes: an outage of half a minute does not end them. */
export const commandLimits: RetryLimits = { rounds: 60, milliseconds: 30_000, quota: 1000 };

const scanned: (item: unknown) => Item = itemReader('item', z.looseObject({ pk: z.string(), sk: z.string() }));

/**
 * All items of the team, unsorted, one page of the table at a time. It reads the whole table, because accounts without a
 * link are in no index. Only for administrators.
 */
export async function* scanTeam(
  client: DynamoDBDocumentClient,
  tableName: string,
  teamId: string,
): AsyncGenerator<Item[]> {
  const retries = new Retries(undefined, commandLimits);
  let start: Record<string, unknown> | undefined;
  do {
    const input: ScanCommandInput = {
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :team OR begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':team': teamPartition(teamId), ':prefix': `${teamPartition(teamId)}#` },
      ...(start ? { ExclusiveStartKey: start } : {}),
    };
    const page = await retries.of('scan on the table')(() => client.send(new ScanCommand(input)));
    yield (page.Items ?? []).map((item) => scanned(item));
    start = page.LastEvaluatedKey;
  } while (start);
}
