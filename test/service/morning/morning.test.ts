import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Finding } from '../../../bin/admin/operations/morning/findings.ts';
import type { OutboxMail } from '../../../lib/email/outbox-mail.ts';
import { messageCountsKey, teamKey } from '../../../lib/store/table/keys.ts';
import { startReceiver } from '../../support/http/webhook-receiver.ts';
import { failNextChunk, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { template, welcomeId, whoseProductIs } from '../../support/operations/targeting-world.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service, startService, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();

/** The clock of the command is so many hours ahead of that of the service. */
function hoursLater(hours: number): void {
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
  onTestFinished(() => clock.mockRestore());
}

const morning = async (team: Pick<TestTeam, 'teamId'>, ...args: string[]) => {
  const { status, value } = await adminJson('morning', '--team', team.teamId, ...args);
  return { status, team: value[0], findings: (value[0].findings as Record<keyof Finding, string>[]) ?? [] };
};

const done = ['done', 'failed', 'refused'];
/** Drops a file, and waits until its report is written. */
async function drop({ teamId }: TestTeam, name: string, content: string): Promise<void> {
  const inbox = join(api.local.drop_box_folder, teamId, 'contacts');
  mkdirSync(inbox, { recursive: true });
  writeFileSync(join(inbox, name), content);
  await until(
    `${name} ended`,
    async () => (await adminJson('drop', 'list', '--team', teamId)).value as { key: string; state: string }[],
    (files) => files.some(({ key, state }) => key.endsWith(`/${name}`) && done.includes(state)),
  );
}
const contactsFile = (rows: number) => `unique_id\n${Array.from({ length: rows }, (_, n) => `c${n}\n`).join('')}`;

const expectContacts = ({ teamId }: TestTeam, ...more: string[]) => {
  const hour = `${new Date(Date.now() + 3_600_000).toISOString().slice(11, 13)}:30`;
  return adminJson('drop', 'expect', '--team', teamId, '--type', 'contacts', '--by', hour, ...more);
};

const message = (send_offset_hours: number, id = '5e0d0000-0000-4000-8000-000000000011') => ({
  ...{ id, send_offset_hours },
  message: {
    ...{ id: id.replace(/^5/, '6'), type: 'email', content_block_status: 'published', is_transactional: true },
    ...{ payload: { subject: 'Welcome' }, content_blocks: [] },
  },
});
/** The team sends these messages to contacts who get a journey. */
async function sends(team: TestTeam, messages: object[], ...contacts: string[]): Promise<void> {
  const own = ['--sender', '@bank.example', '--postal-address', '1 Main Street', '--no-earlier-list'];
  await adminJson('team', 'update', '--team', team.teamId, ...own);
  const campaign = { id: welcomeId, name: 'Welcome', status: 'live', email_sender_address: 'hello@bank.example' };
  const file = fileOf({ templates: [{ ...campaign, template_messages: messages }] });
  expect((await adminJson('content', 'import', file, '--team', team.teamId)).status).toBe(0);
  for (const unique_id of contacts) {
    const contact = { unique_id, email: `${unique_id}@example.com` };
    await api.request('POST', '/v1/contacts', { token: team.token, body: contact });
    const body = { contact: { unique_id } };
    await api.request('POST', `/v1/templates/${welcomeId}/journeys`, { token: team.token, body });
  }
}

const webhook = async ({ teamId }: TestTeam, url: string, token: string) => {
  await adminJson('webhook', 'create', '--team', teamId, '--url', url);
  await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'ann' } });
  return until(
    'the webhook has failed',
    async () => (await adminJson('webhook', 'list', '--team', teamId)).value[0].state as string,
    (state) => state !== 'up',
  );
};

type Trouble = {
  what: string;
  make(team: TestTeam): Promise<unknown>;
  hours?: number;
  about: string;
  message: RegExp;
  next: string;
  /** What else is shown of the team. */
  also?: object;
};
const troubles: Trouble[] = [
  {
    what: 'an expected file that has not arrived',
    make: (team) => expectContacts(team),
    ...{
      hours: 3,
      about: 'files',
      message: /contacts expected by ..:30 \(UTC\) has not arrived/,
      next: 'drop list --team',
    },
  },
  {
    what: 'a file that failed',
    make: (team) => drop(team, 'bad.csv', 'ACCT_NO,CIF\n1,2\n'),
    ...{ about: 'files', message: /contacts\/bad\.csv: (failed|refused): .*ACCT_NO/, next: 'drop show' },
  },
  {
    what: 'a file that is not as expected',
    make: async (team) => {
      await expectContacts(team, '--min-rows', '5');
      await drop(team, 'few.csv', contactsFile(2));
    },
    ...{ about: 'files', message: /not as expected: 2 rows were read, fewer than 5/, next: 'drop show' },
  },
  {
    what: 'a file of which rows were rejected, although nobody said how many may be',
    make: (team) => drop(team, 'lost.csv', 'unique_id,birthdate\na,1990-01-01\nb,never\nc,never\nd,never\ne,never\n'),
    ...{ about: 'files', message: /lost\.csv: 80% of 5 rows were rejected/, next: 'drop show' },
  },
  {
    what: 'a file with far fewer rows than the ones before',
    make: async (team) => {
      for (const name of ['1.csv', '2.csv', '3.csv', '4.csv', '5.csv'])
        await drop(team, name, `${contactsFile(100)}${name}\n`);
      await drop(team, '6.csv', contactsFile(40));
    },
    ...{ about: 'files', message: /6\.csv: 40 rows, 60% fewer than usual/, next: 'drop show' },
  },
  {
    what: 'a notice of a file',
    make: (team) => drop(team, 'header.csv', 'unique_id,name_first\n'),
    ...{ about: 'files', message: /header\.csv: the file has no rows/, next: 'drop show' },
  },
  {
    what: 'failed chunks, with their reason',
    make: async ({ teamId }) => {
      const dependencies = serviceOn(api.database);
      const record = { account_number: '1', contact: { unique_id: 'c1' }, product: { code: 'P', type: 'checking' } };
      await postBatch(dependencies, teamId, { batch_id: 'night', chunk_index: 0, records: [record] });
      const reason = 'given up after 5 attempts: a stored link is invalid: order, outcomes';
      await failNextChunk(dependencies, teamId, reason);
    },
    about: 'chunks',
    message: /1 chunk with 1 record of batch "night" failed: .*: a stored link is invalid: order, outcomes/,
    next: 'failed list --team',
  },
  {
    what: 'a batch of which chunks have not come',
    make: async ({ token }) => {
      const record = { account_number: '1', contact: { unique_id: 'c1' }, product: { code: 'P', type: 'checking' } };
      const body = { type: 'account', batch_id: 'part', chunk_index: 1, chunk_count: 3, records: [record] };
      expect((await api.request('POST', '/v1/batches', { token, body })).status).toBe(202);
      const applied = async () => (await api.request('GET', '/v1/batches/part', { token })).body.records?.applied;
      await until('the chunk that came is applied', applied);
    },
    ...{
      hours: 1,
      about: 'batches',
      message: /of 3 chunks of batch "part" have not come: 0, 2;/,
      next: '--client',
    },
  },
  {
    what: 'a webhook that fails',
    make: async (team) => webhook(team, (await startReceiver(() => 500)).url, team.token),
    ...{ hours: 2, about: 'webhooks', message: /has received nothing since .* \(500\)/, next: 'webhook show' },
  },
  {
    what: 'a webhook that its receiver ended',
    make: async (team) => webhook(team, (await startReceiver(() => 410)).url, team.token),
    ...{ about: 'webhooks', message: /\/hook ended at .*: /, next: 'webhook list' },
  },
  {
    what: 'a rule that its brake has stopped',
    make: async (team) => {
      const bank = new Bank(api, team);
      const rule = template({ targeting_groups: whoseProductIs('checking') });
      await adminJson('team', 'update', '--team', team.teamId, '--max-starts-a-day', '1');
      await adminJson('content', 'import', fileOf({ templates: [rule] }), '--team', team.teamId);
      for (const each of ['ann', 'bob']) await bank.contact(each);
      const product = { code: 'CHK', type: 'checking' };
      await bank.apply(
        ...['ann', 'bob'].map((unique_id, n) => ({ account_number: `${n}`, contact: { unique_id }, product })),
      );
      const status = async () => (await adminJson('targeting', 'status', '--team', team.teamId)).value.templates[0];
      await until('the rule stopped', status, ({ stopped_at }) => stopped_at !== null);
    },
    ...{ about: 'rules', message: /the rule of "Welcome" was stopped by its brake/, next: 'targeting status --team' },
    also: { started: [{ template_id: welcomeId, name: 'Welcome', started: 1 }] },
  },
  {
    what: 'messages that are paused',
    make: async (team) => {
      await sends(team, []);
      await adminJson('message', 'pause', '--team', team.teamId);
    },
    ...{ about: 'messages', message: /all messages are paused since .* \(administrator\)/, next: 'message resume' },
  },
  {
    what: 'messages that bounced',
    make: async (team) => {
      await sends(team, [message(0)], 'ann');
      const folder = join(dirname(api.local.drop_box_folder), 'outbox');
      const mails = () =>
        (existsSync(folder) ? readdirSync(folder) : [])
          .filter((name) => name.endsWith('.json'))
          .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as OutboxMail)
          .filter(({ tags }) => tags.team === team.teamId);
      const [mail] = await until('the mail', mails, ({ length }) => length > 0);
      const body = { type: 'bounced' };
      expect((await api.request('POST', `/outbox/${mail!.id}/events`, { body })).status).toBe(204);
      const states = async () => (await adminJson('message', 'list', '--team', team.teamId)).value[0]?.state;
      await until('it bounced', states, (state) => state === 'bounced');
    },
    ...{ about: 'messages', message: /1 of the last 1 messages bounced/, next: '--state bounced' },
  },
  {
    what: 'what cannot be read, beside what can',
    make: async (team) => {
      await sends(team, []);
      await api.database.write([{ kind: 'insert', item: { ...messageCountsKey(team.teamId), blocks: 7 } }]);
    },
    ...{ about: 'messages', message: /messages cannot be read: .*counts of messages/, next: 'message list --team' },
  },
];

describe('morning names what needs somebody, and the next command:', () => {
  test.each(troubles)(
    '$what',
    async ({ make, hours = 0, also = {}, ...expected }) => {
      const team = await api.newTeam();
      await make(team);
      if (hours > 0) hoursLater(hours);
      const { status, team: found, findings } = await morning(team);
      expect([status, found.needs_attention]).toEqual([1, true]);
      expect(found).toMatchObject(also);
      const named = findings.filter(({ about }) => about === expected.about);
      expect(named).toMatchObject([{ message: expect.stringMatching(expected.message) }]);
      expect(named[0]!.next).toMatch(/^npm run admin -- /);
      expect(named[0]!.next).toContain(expected.next);
    },
    90_000,
  );
});

test('a file that failed is no longer named when it is dropped again under its key, or with a later --since', async () => {
  const team = await api.newTeam();
  await drop(team, 'bad.csv', 'ACCT_NO,CIF\n1,2\n');
  expect((await morning(team)).findings).toHaveLength(1);
  const { stdout } = await admin(['drop', 'show', `${team.teamId}/contacts/bad.csv`]);
  expect(stdout).toContain(`drop expect --team ${team.teamId} --type contacts`);
  await drop(team, 'other.csv', contactsFile(2));
  expect((await morning(team)).findings).toHaveLength(1);
  const later = new Date().toISOString();
  expect(await morning(team, '--since', later)).toMatchObject({ status: 0, findings: [] });
  await drop(team, 'bad.csv', contactsFile(3));
  await expect.poll(async () => (await morning(team)).findings, { timeout: 20_000 }).toEqual([]);
});

test('a webhook that ended is no longer named when another one is made for its URL', async () => {
  const team = await api.newTeam();
  const { url } = await startReceiver(() => 410);
  await webhook(team, url, team.token);
  expect((await morning(team)).findings).toMatchObject([
    { message: expect.stringContaining('another one for this URL') },
  ]);
  await adminJson('webhook', 'create', '--team', team.teamId, '--url', url);
  expect(await morning(team)).toMatchObject({ status: 0, findings: [] });
});

test('bounces and complaints end a day after the last one, though they are among the last 1,000 messages', async () => {
  const team = await api.newTeam();
  await sends(team, []);
  const [old, recent] = [30, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
  const counts = { blocks: [{ sent: 50, bounced: 5, complained: 2 }], moved_at: recent, version: 1 };
  const item = { ...messageCountsKey(team.teamId), ...counts, bounced_at: old, complained_at: recent };
  await api.database.write([{ kind: 'insert', item }]);
  const shown = async (...args: string[]) => (await morning(team, ...args)).findings.map((each) => each.message);
  expect(await shown()).toEqual([
    '2 of the last 50 messages were reported as spam (listed for a day; a later --since leaves it out)',
  ]);
  expect(await shown('--since', new Date().toISOString())).toEqual([]);
  expect(await shown('--since', old!)).toHaveLength(2);
});

test('a night in which everything arrived is one line with what arrived, started and is to come, and status 0', async () => {
  const team = await api.newTeam();
  await expectContacts(team);
  await drop(team, 'night.csv', contactsFile(3));
  // Not near midnight.
  await adminJson('team', 'update', '--team', team.teamId, '--timezone', zoneAtNoon());
  await sends(
    team,
    [
      message(1),
      message(2, '5e0d0000-0000-4000-8000-000000000012'),
      message(900, '5e0d0000-0000-4000-8000-000000000013'),
    ],
    'ann',
    'bob',
  );
  const { status, team: shown, findings } = await morning(team);
  expect([status, findings]).toEqual([0, []]);
  const campaigns = [{ template_id: welcomeId, name: 'Welcome', messages: 4 }];
  expect(shown.forecast).toMatchObject({ messages: 4, is_estimate: false, campaigns });
  expect(Date.parse(shown.forecast.done_at) - Date.now()).toBeGreaterThan(1.9 * 3_600_000);
  const { stdout } = await admin(['morning', '--team', team.teamId]);
  expect(stdout).toMatch(
    /: everything arrived\. contacts\/night\.csv at ..:.. UTC, due by ..:30 \(UTC\): 3 rows\. 4 messages today, done by .*: 4 of "Welcome"\n$/,
  );
});

/** A zone in which it is between 11:00 and 13:00 now. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

test('without --team it names all teams, first those that need somebody, and one does not hide another', async () => {
  const own = await startService();
  onTestFinished(() => own.process.stop());
  const ids = [await own.newTeam(), await own.newTeam()].map(({ teamId }) => teamId);
  await own.database.write([{ kind: 'update', key: teamKey(ids[1]!), set: { features: 7 }, expect: {} }]);
  const { status, stdout } = await admin(['morning', '--json'], own.process.directory);
  const teams: { team_id: string; name: string | null; needs_attention: boolean }[] = JSON.parse(stdout);
  const [first, ...others] = teams.map(({ team_id, name, needs_attention }) => ({ team_id, name, needs_attention }));
  expect([status, first]).toEqual([1, { team_id: ids[1], name: null, needs_attention: true }]);
  expect(others.map(({ needs_attention }) => needs_attention)).toEqual([false, false]);
  expect(others.map(({ team_id }) => team_id).sort()).toEqual([ids[0], own.local.team_id].sort());
});

test('the page says the same', async () => {
  const team = await api.newTeam();
  await drop(team, 'bad.csv', 'ACCT_NO,CIF\n1,2\n');
  const file = join(temporaryDirectory(), 'morning.html');
  const { status, findings } = await morning(team, '--html', file);
  expect(status).toBe(1);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('1 of 1 teams need attention');
  expect(page).toContain(findings[0]!.next);
});
