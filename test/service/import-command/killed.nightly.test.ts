import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { differences, readAccounts, readContacts } from '../../../bin/demo/compare.ts';
import { type Bank, readBank } from '../../../bin/demo/files.ts';
import { OnboardingClient } from '../../../client/index.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { faultProxy } from '../../support/aws/fault-proxy.ts';
import { reservedPort } from '../../support/http/ports.ts';
import { atChunk, environmentOf, launchImporter } from '../../support/import-command/support.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { startService } from '../../support/service/service.ts';

const directory = temporaryDirectory();
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const people = 1000;
/** Five chunks. */
const contactRows = 2500;
/** The status of a process that was killed: one that ended before would have its own. */
const killed = -1;

/** The first people of the bank and all their rows, as records and as lines of the file. */
function small(bank: Bank) {
  const contacts = bank.contacts.slice(0, people);
  const ours = new Set(contacts.map(({ unique_id }) => unique_id));
  const isOurs = (_: unknown, at: number) => ours.has(bank.rows[at]!.contact);
  const [header = '', ...lines] = example('accounts.csv').trimEnd().split('\n');
  return {
    bank: { ...bank, contacts, rows: bank.rows.filter(isOurs) },
    accountLines: [header, ...lines.filter(isOurs)],
  };
}

const example = (name: string) => readFileSync(new URL(`../../../examples/bank/${name}`, import.meta.url), 'utf8');

test('a file is applied once and whole, though the importer and the service are killed on the way', async () => {
  const environment = { PORT: String(await reservedPort()) };
  const data = join(directory, 'data');
  let service = await startService({ directory: data, persistent: true, environment });
  try {
    const accounts = join(directory, 'accounts.csv');
    const contacts = join(directory, 'contacts.csv');
    const { bank, accountLines } = small(readBank());
    const rows = bank.rows.length;
    writeFileSync(accounts, [...accountLines.slice(0, 801), 'broken "row', ...accountLines.slice(801)].join('\n'));
    writeFileSync(
      contacts,
      example('contacts.csv')
        .split('\n', contactRows + 1)
        .join('\n'),
    );
    const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret, team_id: team } = service.local;
    let kill = atChunk(5, () => first.child.kill('SIGKILL'));
    const proxy = await faultProxy(baseUrl, (request) => kill(request));
    onTestFinished(proxy.stop);
    const through = environmentOf({ baseUrl: proxy.endpoint }, { clientId, clientSecret });

    const first = launchImporter(through, 'contacts', contacts);
    expect(await first.ended).toMatchObject({ status: killed });
    const resumed = await launchImporter(through, 'contacts', contacts).ended;
    expect(resumed.status).toBe(0);
    expect(JSON.parse(resumed.stdout).rows).toMatchObject({ read: contactRows, sent: contactRows, rejected: 0 });

    kill = atChunk(3, () => second.child.kill('SIGKILL'));
    const second = launchImporter(through, 'accounts', accounts);
    expect(await second.ended).toMatchObject({ status: killed });
    kill = atChunk(1, () => service.process.kill('SIGKILL'));
    const third = launchImporter(through, 'accounts', accounts);
    await service.process.exited;
    service = await startService({ directory: data, persistent: true, environment });
    const { status, stdout } = await third.ended;
    expect(status).toBe(1);
    expect(JSON.parse(stdout).rows).toMatchObject({ read: rows + 1, sent: rows, applied: rows, rejected: 1 });
    expect(readFileSync(`${accounts}.rejected.csv`, 'utf8').trimEnd().split('\n')).toHaveLength(2);

    const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
    const ids = new Set(bank.contacts.map(({ unique_id }) => derivedContactId(team, unique_id as string)));
    const stored = (await readContacts(client, () => {})).filter(({ id }) => ids.has(id));
    expect(differences(bank, stored, await readAccounts(client, stored, () => {}))).toEqual([]);
  } finally {
    await service.process.stop();
  }
});
