import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { longRequests } from '../lib/store/connections.ts';
import { stackOutputs } from './admin/installation.ts';
import { Command } from './command.ts';
import { drill } from './restore-drill/drill.ts';

const command = new Command('node bin/restore-drill.ts')
  .description(
    'Restores the table of a deployed stack to the latest possible second under another name, compares a sample of the ' +
      'items with the table of the service, prints how long it took, and deletes the restored table.',
  )
  .requiredOption('--stack <name>', 'name of the CloudFormation stack')
  .option('--sample <items>', 'how many items to compare', (text) => Number.parseInt(text, 10), 10_000)
  .option('--json', 'print the result as one JSON value', false)
  .addHelpText(
    'after',
    '\nExit status: 0 if the restored table has the keys, the indexes and items of the table, 1 otherwise. Items that ' +
      'changed in the last minutes before the drill are counted as changed.',
  );

async function main(): Promise<void> {
  const { stack, sample, json } = command.parse().opts<{ stack: string; sample: number; json: boolean }>();
  const { TableName: table } = await stackOutputs(stack);
  if (table === undefined) throw new Error(`${stack} is not a stack of this service: its outputs are missing.`);
  // Table names have at most 255 characters.
  const restoredTable = `${table.slice(0, 220)}-drill-${Date.now()}`;
  const say = json ? () => {} : console.log;
  const report = await drill(new DynamoDBClient({ maxAttempts: 10, requestHandler: longRequests }), {
    table,
    restoredTable,
    sample,
    say,
  });
  if (json) console.log(JSON.stringify(report));
  else {
    const { seconds, sampled, same, changed, problems } = report;
    console.log(`Time to restore: ${seconds} s. Items compared: ${sampled}, same: ${same}, changed since: ${changed}.`);
    for (const problem of problems) console.log(`Problem of the restored table: ${problem}.`);
  }
  process.exitCode = report.problems.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
