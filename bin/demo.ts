import { resolve } from 'node:path';
import { Command } from 'commander';
import { connect } from './demo/client.ts';
import { differences, readAccounts, readContacts, totalsOfFiles, totalsOfService } from './demo/compare.ts';
import { readBank } from './demo/files.ts';
import { batchDone, loadContacts, postAccounts } from './demo/load.ts';
import { timed } from './demo/progress.ts';
import { isRight, type Report, textOf } from './demo/report.ts';
import { borrowService } from './demo/service.ts';
import type { LocalDescription } from './local/data-directory.ts';

const command = new Command('npm run demo --')
  .description(
    'Loads examples/bank (5,369 contacts, 6,943 account records) through the HTTP interface, reads everything back and ' +
      'compares it with the files, record by record. Uses the running local service, or starts one for as long as it ' +
      'takes; the data stay in its folder, so that a second run finds every record unchanged.',
  )
  .option('--json', 'print the result as one JSON value', false)
  .addHelpText(
    'after',
    `
Environment:
  DATA_DIR  the folder of the local service (default .data)

Exit status: 0 when the service holds what the files say, 1 when anything differs or fails.`,
  );

async function run(local: LocalDescription): Promise<Report> {
  const bank = readBank();
  const client = await connect(local);
  // A pair of batch_id and chunk_index that was accepted before would be taken for a retry, hence the time in it.
  const batchId = `bank-${bank.fingerprint}-${new Date().toISOString()}`;
  const contacts = await timed('contacts', (progress) => loadContacts(client, bank.contacts, progress));
  const posted = await timed('accounts', (progress) => postAccounts(client, batchId, bank.accounts, progress));
  const batch = await timed('import', (progress) => batchDone(client, batchId, progress));
  const all = await timed('reading contacts', (progress) => readContacts(client, progress));
  const ours = new Set(bank.contacts.map((contact) => contact.unique_id));
  const found = all.result.filter((contact) => ours.has(contact.unique_id));
  const accounts = await timed('reading accounts', (progress) => readAccounts(client, found, progress));
  return {
    base_url: local.base_url,
    batch_id: batchId,
    contacts: contacts.result,
    posted: posted.result,
    batch: batch.result,
    files: totalsOfFiles(bank),
    service: totalsOfService(found, accounts.result),
    other_contacts: all.result.length - found.length,
    differences: differences(bank, found, accounts.result),
    seconds: {
      contacts: contacts.seconds,
      accounts: posted.seconds,
      import: batch.seconds,
      read_contacts: all.seconds,
      read_accounts: accounts.seconds,
    },
  };
}

async function main(): Promise<void> {
  const { json } = command.parse().opts<{ json: boolean }>();
  const say = json ? () => {} : console.log;
  const service = await borrowService(resolve(process.env.DATA_DIR || '.data'));
  try {
    const { base_url } = service.local;
    say(`examples/bank into ${base_url}${service.startedHere ? ', started for this run' : ''}\n`);
    const report = await run(service.local);
    console.log(json ? JSON.stringify(report) : textOf(report));
    process.exitCode = isRight(report) ? 0 : 1;
  } finally {
    await service.release();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
