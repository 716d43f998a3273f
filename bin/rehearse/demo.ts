import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bank, readBank } from '../demo/files.ts';
import { sample } from '../demo/journeys.ts';
import { isRight } from '../demo/report.ts';
import { withRule } from '../demo/rule.ts';
import { runDemo, type Service } from '../demo/run.ts';
import { stackName } from './assembly.ts';
import { must } from './processes.ts';

/** People of the sample bank in the small form of the demo. */
const people = 100;

/** The first people of the sample bank, with their accounts. */
function smallBank(): Bank {
  const bank = readBank();
  const contacts = bank.contacts.slice(0, people);
  const ids = new Set(contacts.map(({ unique_id }) => unique_id));
  const isKept = bank.rows.map(({ contact }) => ids.has(contact));
  return {
    contacts,
    accounts: bank.accounts.filter((_, at) => isKept[at]),
    rows: bank.rows.filter((_, at) => isKept[at]),
    fingerprint: `${bank.fingerprint}-${people}`,
  };
}

/** A team with the sample campaigns and the rule of the demo, made by the admin command of this release or of an earlier one. */
export async function demoTeam({ baseUrl }: { baseUrl: string }, project: string): Promise<Service> {
  const admin = async (...args: string[]) => {
    const command = ['bin/admin.ts', ...args, '--stack', stackName, '--json'];
    const output = await must(`The command ${args.slice(0, 2).join(' ')}`, process.execPath, command, { cwd: project });
    return JSON.parse(output.trim().split('\n').at(-1)!) as Record<string, string>;
  };
  const { team_id = '' } = await admin('team', 'create', '--name', 'Cedar Valley Credit Union');
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-demo-'));
  const campaigns = join(folder, 'campaigns.json');
  writeFileSync(campaigns, JSON.stringify(withRule(sample())));
  await admin('content', 'import', campaigns, '--team', team_id);
  rmSync(folder, { recursive: true });
  const { client_id = '', client_secret = '' } = await admin('client', 'create', '--team', team_id);
  return { base_url: baseUrl, client_id, client_secret };
}

/** Loads the small bank, and compares what the service returns with the files. */
export async function runSmallDemo(service: Service): Promise<{ isRight: boolean; notes: string[] }> {
  // Each run has a batch id of its own, which contains the time in milliseconds.
  await sleep(2);
  const report = await runDemo(service, smallBank());
  const { files, posted, contacts, batch, differences } = report;
  const counts = `${files.contacts} contacts and ${posted.accepted} account records, ${differences.length} differences`;
  const repeated = `${contacts.unchanged} contacts and ${batch.records.unchanged} records were there already, unchanged`;
  const notes = [counts, ...(contacts.unchanged > 0 ? [repeated] : []), ...differences.slice(0, 20)];
  return { isRight: isRight(report), notes };
}
