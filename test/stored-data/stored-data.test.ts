import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { FolderDropBox } from '../../bin/admin/store/drop-box-files.ts';
import { erasePerson } from '../../lib/operations/person/erase.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { adminJson } from '../support/admin.ts';
import { engineAdministrator, localCredentials, localRegion } from '../support/engine.ts';
import { Bank } from '../support/imports.ts';
import { service, type TestService } from '../support/service.ts';
import { readable, WholeTable } from '../support/whole-table.ts';

const folder = new URL('../fixtures/stored-data/', import.meta.url).pathname;
const day = 24 * 3600 * 1000;

type Raw = Record<string, { S?: string; N?: string; B?: string }>;
/** A team as an earlier release stored it, and what that release returned. */
type Fixture = {
  release: string;
  written_at: string;
  team_id: string;
  client_id: string;
  client_secret: string;
  ids: { ann: string; bob: string };
  journey: { id: string; slug: string };
  responses: Record<string, unknown>;
  items: Raw[];
};

const fixtures = readdirSync(folder).map((name): Fixture => JSON.parse(readFileSync(join(folder, name), 'utf8')));

/** Payloads of the fixture have expired, so they get a new time. */
const expiring = (item: Raw): Raw =>
  item.expires_at ? { ...item, expires_at: { N: String(Math.floor((Date.now() + 30 * day) / 1000)) } } : item;

async function store(api: TestService, { items }: Fixture): Promise<void> {
  const { dynamodb_endpoint: endpoint, table_name } = api.local;
  const client = new DynamoDBClient({ endpoint, region: localRegion, credentials: localCredentials });
  const puts = items.map((item) => ({ PutRequest: { Item: withBytes(expiring(item)) } }));
  for (let at = 0; at < puts.length; at += 25) {
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table_name]: puts.slice(at, at + 25) } }));
  }
}

const withBytes = (item: Raw) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B, 'base64') },
    ]),
  ) as NonNullable<WriteRequest['PutRequest']>['Item'];

/** URLs contain the port of the service. */
const withoutPort = (body: unknown) =>
  JSON.parse(JSON.stringify(body).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://service'));

/** Without the global objectives, which other tests create. */
const ofTeam = (body: { objectives?: { team_id: string | null }[] }) =>
  body.objectives ? { ...body, objectives: body.objectives.filter(({ team_id }) => team_id !== null) } : body;

test('there are fixtures of earlier releases', () => {
  expect(fixtures.length).toBeGreaterThan(1);
});

describe.each(fixtures)('items that release $release wrote', (fixture) => {
  const { team_id: teamId, ids, journey } = fixture;
  const team = ['--team', teamId] as const;
  let api: TestService;
  let bank: Bank;
  beforeAll(async () => {
    api = await service();
    await store(api, fixture);
    const { client_id: clientId, client_secret: clientSecret } = fixture;
    bank = new Bank(api, { teamId, clientId, clientSecret, token: await api.tokenFor(clientId, clientSecret) });
  });

  // The worker applies the open chunk at any time, so what it changes is tested below: two batches and a nickname.
  const changing = new Set(['/v1/batches', '/v1/batches/open']);
  const beforeChunk = (body: unknown) =>
    JSON.parse(JSON.stringify(body).replaceAll('"nickname":"Later"', '"nickname":null'));
  test.each(Object.keys(fixture.responses).filter((path) => !changing.has(path)))(
    'are returned as before: GET %s',
    async (path) => {
      const { status, body } = await bank.get(path);
      expect([status, ofTeam(withoutPort(beforeChunk(body)))]).toMatchObject([
        200,
        withoutPort(fixture.responses[path]),
      ]);
    },
  );

  test('are applied by the worker: open chunks, new chunks, and a redriven old payload', async () => {
    const listed = (fixture.responses['/v1/batches'] as { batches: { batch_id: string }[] }).batches;
    const { body } = await bank.get('/v1/batches');
    const idsOf = (batches: { batch_id: string }[]) => batches.map(({ batch_id }) => batch_id);
    expect(idsOf(body.batches)).toEqual(idsOf(listed));
    const record = {
      account_number: '2',
      contact: { unique_id: 'cif-bob' },
      product: { code: 'CHK', type: 'checking' },
    };
    expect(await bank.apply({ ...record, nickname: 'Mine' }, record)).toMatchObject({ status: 'completed' });
    expect(await bank.settled('open')).toMatchObject({ status: 'completed', records: { applied: 1 } });
    expect((await adminJson('failed', 'redrive', ...team, '--all')).status).toBe(0);
    expect(await bank.settled('failed')).toMatchObject({ status: 'completed', records: { applied: 1 } });
    const { body: accounts } = await bank.get(`/v1/contacts/${ids.ann}/accounts`);
    const shown = accounts.map(({ account }: { account: { nickname: string | null } }) => account.nickname);
    expect(shown.sort()).toEqual(['Later', null]);
  });

  test('are changed by requests, journeys and renames', async () => {
    const request = (method: string, path: string, body?: unknown) =>
      api.request(method, path, { token: bank.team.token, ...(body === undefined ? {} : { body }) });
    const { status, body } = await request('POST', '/v1/contacts', { unique_id: 'cif-new', city: 'Olomouc' });
    expect([status, body]).toMatchObject([200, { id: ids.ann, name_first: 'Ann', city: 'Olomouc' }]);
    expect((await request('GET', '/v1/contacts?search=olomouc')).body.contacts).toHaveLength(1);
    expect((await request('POST', '/v1/contacts', { unique_id: 'cif-nobody-yet' })).body.unique_id).toBe(
      'cif-nobody-yet',
    );
    expect((await api.request('GET', `/j/${journey.slug}`)).status).toBe(200);
    const [{ template_id, analytics_cache: progress }] = (await request('GET', `/v1/journeys?contact_id=${ids.ann}`))
      .body;
    const page = { type: 'page_viewed', page_id: progress.pages_viewed[0] };
    expect((await api.request('POST', `/j/${journey.slug}/actions`, { body: page })).status).toBe(204);
    const confirmed = { is_completion_confirmed: true };
    expect((await request('PUT', `/v1/templates/${template_id}/journeys/${journey.id}`, confirmed)).status).toBe(200);
    const change = ['contact', 'change-unique-id', ...team, '--from', 'cif-bob', '--to', 'cif-bobby'];
    expect(await adminJson(...change)).toMatchObject({ status: 0, value: { id: ids.bob } });
  });

  test.each([
    ['team', 'list'],
    ['client', 'list', ...team],
    ['contact', 'show', ...team, '--unique-id', 'cif-new'],
    ['contact', 'export', ...team, '--unique-id', 'cif-new'],
    ['account', 'show', ...team, '--account-number', '1'],
    ['batch', 'show', 'nightly', ...team],
    ['content', 'export', ...team],
    ['audit', 'list', ...team],
  ])('are shown by the admin command: %s %s', async (...args) => {
    const { status, value } = await adminJson(...args);
    expect([status, JSON.stringify(value).length > 2]).toEqual([0, true]);
  });

  test('are listed by drop list, unless the release had no list of files', async () => {
    const { status, value } = await adminJson('drop', 'list', ...team);
    const hasList = fixture.items.some(({ directory_pk }) => directory_pk?.S?.endsWith('#FILES'));
    expect([status, value.length]).toEqual([0, hasList ? 1 : 0]);
  });

  test('are erased, also from old payloads', async () => {
    const { local, database } = api;
    const table = new WholeTable(engineAdministrator(local.dynamodb_endpoint), local.table_name);
    const marks = ['cif-old', 'cif-new', 'ann@example.com', '420777123456', '"Ann"', journey.slug];
    const traces = async () => {
      const items = (await table.items()).filter((item) => JSON.stringify(item).includes(teamId));
      const found = items.filter((item) => marks.some((mark) => JSON.stringify(item, readable).includes(mark)));
      return found.map(({ pk, sk }) => `${pk} ${sk}`);
    };
    expect((await traces()).length).toBeGreaterThan(5);
    const dependencies = {
      ...dependenciesOn(database),
      // Payloads are only searched while they can exist.
      now: () => Date.parse(fixture.written_at) + day,
      files: new FolderDropBox(local.drop_box_folder),
      erasures: { add: async () => {} },
      onProgress: () => {},
      wait: async () => {},
    };
    const { counts } = await erasePerson(dependencies, teamId, 'cif-new');
    expect(counts).toMatchObject({ contacts: 1, journeys: 1, responses: 1, identity_attempts: 1 });
    // A release that did not store former values: the person is erased by these values too.
    const { counts: former } = await erasePerson(dependencies, teamId, 'cif-old');
    expect((counts.chunks ?? 0) + (former.chunks ?? 0)).toBe(3);
    expect(await traces()).toEqual([]);
  });
});
