import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { adminProgram } from '../../../bin/admin/program.ts';
import type { AuditEntry } from '../../../lib/domain/access/audit.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { entriesOf, isAct } from '../../support/operations/audit.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service, type TestService } from '../../support/service/service.ts';

/** What none of the entries may hold. Each is part of what a verb below is given or finds. */
const personal = {
  uniqueId: 'unique-jana-4711',
  renamed: 'unique-novak-4712',
  erased: 'unique-marie-4713',
  name: 'Jana Nováková',
  email: 'jana@private.example',
  number: 'account-9900112233',
  sender: 'jana@sender.example',
  teamName: 'First Private Bank',
  clientName: 'nightly transfer of Jana',
  address: 'https://private.example/terms',
  code: 'product-4711',
  // Nothing listens there.
  receiver: 'http://127.0.0.1:9/private-hook-4711',
};

let api: TestService;
let bank: Bank;
const folder = temporaryDirectory();
let webhookId: string;
const printed: string[] = [];
beforeAll(async () => {
  api = await service();
  bank = await Bank.open(api);
  await bank.contact(personal.uniqueId, { name_first: 'Jana', name_last: 'Nováková' });
  await bank.apply({
    account_number: personal.number,
    contact: { unique_id: personal.uniqueId },
    product: { code: personal.code, type: 'checking', name: personal.name },
  });
  const { value } = await adminJson('webhook', 'create', ...team(), '--url', personal.receiver);
  webhookId = value.webhook_id;
});

const accountsFile = `account_number,product.code,product.type\n${personal.number},${personal.code},checking\n`;
const template_messages = [
  {
    ...{ id: '00000000-0000-4000-8000-000000000001', send_offset_hours: 1 },
    message: { type: 'email', payload: { subject: personal.name } },
  },
];
const mail = () => [...campaign(), '--message', template_messages[0]!.id, '--unique-id', personal.renamed];
const previewed = () => fileOf({ templates: [{ name: personal.name, template_pages: [{ page: {} }] }] });
const targeted = () => ({
  name: personal.name,
  targeting_groups: [{ name: 'All', conditions: [{ field: 'contact.unique_id', operator: 'is_set' }] }],
});
const campaign = () => [...team(), '--template', personal.name];
const image = () => fileURLToPath(new URL('../../../examples/logo.svg', import.meta.url));
const nothing = '00000000-0000-4000-8000-000000000000';

/** What the verb is called with, and what its entries say. `reads`: it has none. */
type Case = 'reads' | { args: () => string[]; ids?: string[]; outcome?: string; status?: number };

const team = () => ['--team', bank.team.teamId];
const anyChunk = () => [...team(), '--batch', 'night', '--chunk', '0'];
const cases: Record<string, Case> = {
  'team create': { args: () => ['--name', personal.teamName, '--terms-of-service-url', personal.address] },
  'team update': {
    args: () => [...team(), '--name', personal.teamName, '--sender', personal.sender, '--no-earlier-list'],
  },
  'team list': 'reads',
  'team show': 'reads',
  'team export': { args: () => [join(folder, 'team.jsonl'), ...team()] },
  'team reset': { args: () => [...team(), '--yes'], outcome: 'conflict' },
  'team rotate-secret': { args: team },
  'client create': { args: () => [...team(), '--name', personal.clientName], ids: ['client_id'] },
  'client list': 'reads',
  'client rotate': { args: () => [bank.team.clientId], ids: ['client_id'] },
  'client set-keys': {
    args: () => [bank.team.clientId, '--jwks', fileOf({ keys: [] })],
    ids: ['client_id'],
    outcome: 'validation_failed',
  },
  'client revoke': { args: () => ['--client', bank.team.clientId], ids: ['client_id'] },
  'contact find': { args: () => ['nováková', ...team()], ids: ['contact_ids'] },
  'contact show': { args: () => [...team(), '--unique-id', personal.uniqueId], ids: ['contact_id'] },
  'contact allow-attempts': { args: () => [...team(), '--unique-id', personal.uniqueId], ids: ['contact_id'] },
  'contact change-unique-id': {
    args: () => [...team(), '--from', personal.uniqueId, '--to', personal.renamed],
    ids: ['contact_id'],
  },
  'contact export': { args: () => [...team(), '--unique-id', personal.renamed], ids: ['contact_id'] },
  'contact erase': { args: () => [...team(), '--unique-id', personal.erased, '--yes'], ids: ['contact_id'] },
  'erasure list': 'reads',
  'erasure apply': { args: () => ['--yes'], ids: ['contact_ids'] },
  'retention show': 'reads',
  'account show': { args: () => [...team(), '--account-number', personal.number], ids: ['account_id'] },
  'account unlink': {
    args: () => [...team(), '--account-number', personal.number, '--unique-id', personal.renamed, '--yes'],
    ids: ['account_id', 'contact_id', 'batch_id'],
  },
  'account remove': {
    args: () => [...team(), '--account-number', personal.number, '--yes'],
    ids: ['account_id', 'batch_id'],
  },
  'account compare': { args: () => [fileOf(accountsFile, 'csv'), ...team()] },
  'template list': 'reads',
  'template results': 'reads',
  'template journeys': 'reads',
  'template responses': 'reads',
  'template recount': { args: team, ids: ['template_ids'] },
  'journey reissue': { args: () => [...team(), '--journey', nothing], ids: ['journey_id'], outcome: 'not_found' },
  'content import': {
    args: () => [fileOf({ templates: [{ name: personal.name, template_messages }] }), ...team()],
    ids: ['content_revision', 'template_ids'],
  },
  'targeting preview': {
    args: () => [...team(), '--file', fileOf({ templates: [targeted()] })],
    ids: ['template_id'],
  },
  'targeting explain': { args: () => [...team(), '--unique-id', personal.renamed], ids: ['contact_id'] },
  'targeting status': 'reads',
  // The campaign is a draft.
  'targeting judge': { args: team, outcome: 'conflict' },
  'targeting include-existing': {
    args: () => [...campaign(), '--from', 'beginning', '--up-to', '5', '--yes'],
    ids: ['template_ids'],
    outcome: 'conflict',
  },
  'targeting resume': {
    args: () => [...campaign(), '--up-to', '5', '--yes'],
    ids: ['template_ids'],
    outcome: 'not_found',
  },
  'targeting undo': { args: () => [...campaign(), '--since', '2026-01-01', '--yes'], ids: ['template_ids'] },
  'message list': { args: () => [...team(), '--unique-id', personal.renamed], ids: ['contact_id'] },
  'message show': { args: () => [...team(), '--id', nothing], outcome: 'not_found' },
  'message preview': { args: mail, ids: ['template_ids', 'contact_id'] },
  'message test': {
    args: () => [...mail(), '--to', personal.email],
    ids: ['template_ids', 'contact_id', 'message_id'],
  },
  'message pause': { args: campaign, ids: ['template_ids'] },
  'message resume': { args: campaign, ids: ['template_ids'] },
  'message resend': { args: () => [...team(), '--id', nothing], outcome: 'not_found' },
  'suppression add': { args: () => [...team(), '--address', personal.email] },
  'suppression list': { args: () => [...team(), '--address', personal.email] },
  'suppression remove': {
    args: () => [...team(), '--address', personal.email, '--reason', personal.name],
    ids: ['contact_ids'],
  },
  'suppression import': { args: () => [fileOf(`${personal.email}\n`, 'csv'), ...team()] },
  'suppression apply': { args: team },
  'content history': 'reads',
  'content restore': { args: () => [nothing, ...team()], ids: ['revision'], outcome: 'not_found' },
  'content approve': { args: () => [nothing, ...team()], ids: ['revision'], outcome: 'not_found' },
  'content withdraw': { args: () => [nothing, ...team()], ids: ['revision'], outcome: 'not_found' },
  'content check': 'reads',
  'content schema': 'reads',
  'content new': 'reads',
  'content texts': 'reads',
  'content export': 'reads',
  'content preview': {
    args: () => [previewed(), ...team(), '--contact', personal.renamed, '--out', folder],
    ids: ['contact_id'],
  },
  'product list': 'reads',
  'product set': {
    args: () => [...team(), '--code', personal.code, '--service', personal.name],
    ids: ['product_id'],
  },
  'batch show': 'reads',
  'batch list': 'reads',
  'batch cancel': { args: () => ['night', ...team()], ids: ['batch_id'], outcome: 'not_found' },
  'drop list': 'reads',
  'drop show': 'reads',
  'drop expect': { args: () => [...team(), '--type', 'accounts', '--by', '05:00'] },
  'drop expected': 'reads',
  'drop unexpect': { args: () => [...team(), '--type', 'accounts', '--by', '05:00'] },
  'file put': { args: () => [image(), ...team()], ids: ['file_id'] },
  'file list': 'reads',
  'file remove': { args: () => [personal.uniqueId, ...team()], outcome: 'not_found' },
  'failed list': 'reads',
  'failed redrive': { args: anyChunk, ids: ['batch_id'], outcome: 'not_found' },
  'failed discard': { args: anyChunk, ids: ['batch_id'], outcome: 'not_found' },
  'drill poison-chunk': { args: team, ids: ['batch_id'] },
  'drill cure': { args: team },
  'webhook create': { args: () => [...team(), '--url', personal.receiver], ids: ['webhook_id'] },
  'webhook list': 'reads',
  'webhook show': 'reads',
  'webhook rotate': { args: () => [webhookId], ids: ['webhook_id'] },
  // The act is done, although nothing listens.
  'webhook test': { args: () => [webhookId], ids: ['webhook_id'], status: 1 },
  'webhook redeliver': { args: () => ['--webhook', webhookId, '--since', '2026-01-01'], ids: ['webhook_id'] },
  'webhook remove': { args: () => [webhookId, '--yes'], ids: ['webhook_id'] },
  'events replay': { args: () => [] },
  'audit list': 'reads',
};

const { commands: nouns } = await adminProgram();
const verbs = nouns.flatMap((noun) => noun.commands.map((verb) => `${noun.name()} ${verb.name()}`));

const entries = async () => (await entriesOf(api.database, bank.team.teamId)).filter(isAct);

async function run(...args: string[]) {
  const { status, stdout, stderr } = await admin(args);
  printed.push(stdout, stderr);
  return { status, stdout };
}

test('every verb is covered here, and no other', () => {
  expect(Object.keys(cases).sort()).toEqual(verbs.sort());
});

describe('an act', () => {
  const acts = Object.entries(cases).filter((each): each is [string, Exclude<Case, 'reads'>] => each[1] !== 'reads');

  test.each(acts)(
    'leaves its entries: %s',
    async (what, { args, ids = [], outcome = 'done', status: expected = 0 }) => {
      const { stdout, status } = await run(...what.split(' '), ...args(), '--json');
      const value = JSON.parse(stdout);
      expect(status).toBe(outcome === 'done' ? expected : 1);
      if (outcome !== 'done') expect(value.error).toBe(outcome);
      // A team that is made has a log of its own from its first moment; what was begun before it is with no team.
      // The list of erasures is that of all teams.
      const isOfNoTeam = what === 'erasure apply' || what === 'events replay';
      const teamId = isOfNoTeam ? globalTeam : what === 'team create' ? value.team_id : bank.team.teamId;
      const all = await entriesOf(api.database, ...new Set([globalTeam, teamId]));
      const isEnd = (each: AuditEntry) => each.what === what && each.outcome === outcome;
      const ended = all.findLast((each) => isEnd(each) && each.team_id === (isOfNoTeam ? null : teamId))!;
      const [begun, ...others] = all.filter(({ ids }) => ids.act_id === ended.ids.act_id);
      const who = userInfo().username;
      expect(begun).toMatchObject({ who, what, outcome: 'begun', ids: { act_id: expect.any(String) } });
      expect(ended).toMatchObject({ who, what, outcome, team_id: isOfNoTeam ? null : teamId });
      expect(others).toEqual([ended]);
      expect(Object.keys(ended.ids).sort()).toEqual(['act_id', ...ids].sort());
    },
  );

  test('that is refused for its arguments is none', async () => {
    const before = await entries();
    await run('client', 'rotate', '--json');
    await run('client', 'create', ...team(), '--scope', 'everything', '--json');
    expect(await entries()).toEqual(before);
  });

  test('of a team that does not exist is in the log of what belongs to no team, without what was typed', async () => {
    const unknown = randomUUID();
    for (const typed of [unknown, personal.name]) await run('team', 'rotate-secret', '--team', typed, '--json');
    const found = (await entriesOf(api.database, globalTeam)).filter(({ what }) => what === 'team rotate-secret');
    const outcomes = (team: string | null) => found.filter((each) => each.team_id === team).map((each) => each.outcome);
    expect(outcomes(unknown)).toEqual(['begun', 'not_found']);
    expect(outcomes(null)).toEqual(expect.arrayContaining(['begun', 'not_found']));
  });

  test('is not begun where its entry cannot be written', async () => {
    const away = vi.spyOn(DynamoDatabase.prototype, 'write').mockRejectedValue(new Error('away'));
    const name = randomUUID();
    // A team is written in a transaction, which would go on.
    expect((await run('team', 'create', '--name', name, '--json')).status).toBe(1);
    away.mockRestore();
    expect((await admin(['team', 'list'])).stdout).not.toContain(name);
  });

  test('that is done is reported as done where its second entry cannot be written', async () => {
    const { write } = DynamoDatabase.prototype;
    const away = vi.spyOn(DynamoDatabase.prototype, 'write').mockImplementation(async function (
      this: DynamoDatabase,
      writes,
    ) {
      if (JSON.stringify(writes).includes('"outcome":"done"')) throw new Error('away');
      return write.call(this, writes);
    });
    const { status, stdout, stderr } = await admin(['client', 'create', ...team(), '--json']);
    away.mockRestore();
    expect({ status, secret: JSON.parse(stdout).client_secret }).toEqual({ status: 0, secret: expect.any(String) });
    expect(stderr).toMatch(/^The audit log has no entry of the outcome/);
  });
});

describe('verbs that only read', () => {
  const args: Record<string, () => string[]> = { 'batch show': () => ['night'], 'content check': () => [previewed()] };
  const needsTeam = ['team show', 'batch list', 'drop list', 'content check', 'content export'];
  test('leave no entry', async () => {
    const reading = Object.keys(cases).filter((what) => cases[what] === 'reads');
    for (const what of reading) {
      await run(...what.split(' '), ...(args[what]?.() ?? []), ...(needsTeam.includes(what) ? team() : []), '--json');
    }
    const after = await entriesOf(api.database, globalTeam, bank.team.teamId);
    expect(after.map(({ what }) => what).filter((what) => reading.includes(what))).toEqual([]);
  });
});

describe('audit list', () => {
  const listed = async (...args: string[]): Promise<AuditEntry[]> =>
    (await adminJson('audit', 'list', ...team(), ...args)).value;

  test('prints all entries of the team as one array, the newest first', async () => {
    const all = await listed();
    expect(all).toEqual((await entriesOf(api.database, bank.team.teamId)).reverse());
    expect(all.length).toBeGreaterThan(20);
    expect(Object.keys(all[0]!)).toEqual(['at', 'who', 'what', 'team_id', 'ids', 'outcome']);
  });

  test('is narrowed by act, by caller, by time and by number', async () => {
    const all = await listed();
    const isDone = ({ what }: AuditEntry) => what === 'client create';
    expect(await listed('--what', 'client create')).toEqual(all.filter(isDone));
    expect(await listed('--who', userInfo().username)).toEqual(all.filter(isAct));
    expect(await listed('--who', 'nobody')).toEqual([]);
    expect(await listed('--limit', '3')).toEqual(all.slice(0, 3));
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(await listed('--since', day)).toEqual([]);
    expect(await listed('--until', day)).toEqual(all);
  });

  test('is a table of acts for people, each once, without tokens unless it is asked for them', async () => {
    const { stdout } = await admin(['audit', 'list', ...team(), '--limit', '2']);
    expect(stdout).toMatch(/^AT +WHO +WHAT +TEAM +OUTCOME +IDS\n(.+\n){2}$/);
    const table = async (...more: string[]) =>
      (await admin(['audit', 'list', ...team(), '--limit', '1000', ...more])).stdout;
    const all = await listed();
    const acts = new Set(all.filter(isAct).map(({ ids }) => ids.act_id));
    const lines = (await table()).trimEnd().split('\n').slice(1);
    expect(lines.length).toBe(acts.size);
    // The end of one act could not be written.
    const begun = /^\S+ +\S+ +client create .+ begun, not ended /;
    expect(lines.filter((line) => / token |begun/.test(line))).toEqual([expect.stringMatching(begun)]);
    expect(await table('--tokens')).toContain(' token issued ');
    expect(await table('--what', 'token issued')).toContain(' token issued ');
    expect((await admin(['audit', 'list', ...team(), '--who', 'nobody'])).stdout).toBe('There are no such entries.\n');
  });

  test('of all teams has those of the team and those of none', async () => {
    const { value } = await adminJson('audit', 'list', '--what', 'team create');
    expect(value.map(({ team_id }: AuditEntry) => team_id)).toEqual(expect.arrayContaining([null]));
    expect(value.length).toBeGreaterThan(1);
  });

  test('is narrowed to a contact, by its unique_id or its id', async () => {
    const { value } = await adminJson('contact', 'show', ...team(), '--unique-id', personal.renamed);
    const own = (await listed()).filter(({ ids }) => [ids.contact_id, ids.contact_ids].flat().includes(value.id));
    expect(own.map(({ what }) => what)).toEqual(expect.arrayContaining(['contact find', 'contact show']));
    for (const contact of [personal.renamed, value.id]) expect(await listed('--contact', contact)).toEqual(own);
    expect(await listed('--contact', 'nobody')).toEqual([]);
    const everywhere = await adminJson('audit', 'list', '--contact', value.id);
    expect(everywhere.value.details).toEqual([{ path: '--team', message: 'is needed' }]);
  });

  const wrong = ['--since yesterday', '--since 2026-02-30', '--until 2026-01-01T00:00:00', '--limit 0'];
  test.each(wrong)('refuses %s', async (args) => {
    expect((await adminJson('audit', 'list', ...args.split(' '))).value.error).toBe('invalid_arguments');
  });
});

test('no entry holds personal data, a name or a secret, and neither does the printed log', async () => {
  const { clientSecret, token } = bank.team;
  const log = JSON.stringify(await entriesOf(api.database, globalTeam, bank.team.teamId));
  const list = (await admin(['audit', 'list', '--json'])).stdout + (await admin(['audit', 'list', ...team()])).stdout;
  const secrets = printed.flatMap((text) => /"(?:client_)?secret":"([^"]+)"/.exec(text)?.[1] ?? []);
  expect(secrets.some((secret) => secret.startsWith('whsec_'))).toBe(true);
  expect(secrets.some((secret) => !secret.startsWith('whsec_'))).toBe(true);
  for (const value of [...Object.values(personal), ...secrets, clientSecret, token]) {
    expect(log).not.toContain(value);
    expect(list).not.toContain(value);
  }
});
