import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import { afterAll, expect, test } from 'vitest';
import type { paths } from '../../../client/schema.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

/** Code that two generators create from the served document calls the running service, like a partner's code. */
const sample = JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8'));
const template = 'fb7d45b1-c999-45e2-a591-94482fc67b5f';
const viewedPage = 'b516fdf6-4655-4ae0-bd6a-fc6b10b2c53e';
const channel = '43c7bdd3-64e6-46dd-bcdc-72773cd7e705';
const coreId = crypto.randomUUID();
const contact = { unique_id: coreId, meta_private: { core_id: coreId } };

const api = await service();
const team = await api.newTeam();
await putContent(api.database, team.teamId, sample);
await api.request('POST', '/v1/contacts', {
  token: team.token,
  body: { ...contact, journey: { template_id: template } },
});
const directory = mkdtempSync(join(tmpdir(), 'onboarding-generated-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('types of openapi-typescript find content by a key of metadata, with the default serialization', async () => {
  const client = createClient<paths>({ baseUrl: api.baseUrl, headers: { authorization: `Bearer ${team.token}` } });
  const { data, response } = await client.GET('/v1/engagement-channels/{channel_id}/content-containers/search', {
    params: { path: { channel_id: channel }, query: { meta_private: { core_id: coreId } } },
  });
  expect(response.status).toBe(200);
  expect(data?.journey_url).toMatch(`${api.baseUrl}/j/`);
});

type Answer = { status: number; data: never };
type Call = (...args: unknown[]) => Promise<Answer>;

/** The functions of the generated module. Each records its calls. */
async function generated(called: Set<string>): Promise<Record<string, Call>> {
  const document = join(directory, 'openapi.json');
  writeFileSync(document, JSON.stringify((await api.request('GET', '/openapi.json')).body));
  const file = join(directory, 'client.ts');
  execFileSync(process.execPath, [join(projectRoot, 'node_modules/oazapfts/dist/cli.js'), document, file]);
  symlinkSync(join(projectRoot, 'node_modules'), join(directory, 'node_modules'));
  const module = await import(/* @vite-ignore */ file);
  module.defaults.headers = { authorization: `Bearer ${team.token}` };
  const noted = (name: string, call: Call): Call => {
    return (...args) => {
      called.add(name);
      return call(...args);
    };
  };
  const functions = Object.entries(module).filter((entry): entry is [string, Call] => typeof entry[1] === 'function');
  return Object.fromEntries(functions.map(([name, call]) => [name, noted(name, call)]));
}

/** The operations that need no parameters. */
async function plainReads(): Promise<string[]> {
  const { paths } = (await api.request('GET', '/openapi.json')).body as {
    paths: Record<string, { get?: { operationId: string } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) => (get && !path.includes('{') ? [get.operationId] : []));
}

test('functions of oazapfts make every call', async () => {
  const called = new Set<string>();
  const client = await generated(called);
  const ask = async (name: string, ...args: unknown[]): Promise<Answer> => client[name]!(...args);
  const statusOf = async (name: string, ...args: unknown[]) => (await ask(name, ...args)).status;
  const { clientId: client_id, clientSecret: client_secret } = team;

  expect(await statusOf('createToken', { grant_type: 'client_credentials', client_id, client_secret })).toBe(200);
  expect(await statusOf('upsertContacts', { contacts: [contact, { email: 'ben@example.com' }] })).toBe(200);
  const { data: known } = (await ask('upsertContacts', contact)) as { data: { id: string } };
  for (const update of ['updateContact', 'updateContactByPatch']) {
    expect(await statusOf(update, known.id, { city: 'Duluth', email: 'ann@example.com' })).toBe(200);
  }
  expect(await statusOf('getContact', known.id)).toBe(200);
  expect(await statusOf('listContacts', { limit: 1, sortDirection: 'desc' })).toBe(200);
  expect(await statusOf('listContactAccounts', known.id)).toBe(200);

  const records = [{ account_number: coreId, product: { code: 'FREE', type: 'checking' }, balance: '12.50' }];
  expect(await statusOf('createBatch', { type: 'accounts', batch_id: coreId, chunk_index: 0, records })).toBe(202);
  expect(await statusOf('getBatch', coreId, { chunkIndex: 0 })).toBe(200);
  expect(await statusOf('findBatch', { batchId: coreId })).toBe(200);

  const started = (await ask('createJourney', template, { contact: { id: known.id } })) as unknown as {
    data: { id: string; slug: string };
  };
  expect(await statusOf('listJourneys', { contactId: known.id })).toBe(200);
  expect(await statusOf('listJourneys', { templateId: template, limit: 1 })).toBe(200);
  expect(await statusOf('getTemplateResults', template)).toBe(200);
  expect(await statusOf('listEvents', { $type: ['journey.*', 'contact.created'], limit: 1 })).toBe(200);
  const { data: made } = (await ask('createWebhook', { url: 'https://receiver.invalid/' })) as { data: { id: string } };
  expect(await statusOf('listWebhooks')).toBe(200);
  for (const name of ['getWebhook', 'rotateWebhook', 'testWebhook']) expect(await statusOf(name, made.id)).toBe(200);
  expect(await statusOf('deleteWebhook', made.id)).toBe(204);
  expect(await statusOf('listTemplateResponses', template, { limit: 1 })).toBe(200);
  expect(await statusOf('listResponses', started.data.id)).toBe(200);
  expect(await statusOf('confirmJourney', template, started.data.id, { is_completion_confirmed: true })).toBe(200);
  expect(await statusOf('showJourney', started.data.slug, {})).toBe(200);
  expect(await statusOf('listResponses', started.data.id)).toBe(200);
  const action = { type: 'page_viewed', page_id: viewedPage };
  expect(await statusOf('recordAction', started.data.slug, action)).toBe(204);

  expect(await statusOf('getTemplate', template, { hasSurveyContentBlocks: true })).toBe(200);
  expect(await statusOf('listTemplateMessages', template)).toBe(200);
  expect(await statusOf('listTemplatePages', template)).toBe(200);

  expect(await statusOf('searchContentContainers', channel, { uniqueId: coreId })).toBe(200);
  const search = { metaPrivate: { core_id: coreId } };
  const found = (await ask('searchContentContainers', channel, search)) as unknown as {
    status: number;
    data: { url: string; journey_url: string };
  };
  expect([found.status, found.data.journey_url]).toEqual([200, expect.stringContaining('/j/')]);
  expect(await statusOf('showChannelContent', channel, found.data.url.split('/').at(-1))).toBe(200);
  for (const name of await plainReads())
    if (!called.has(name)) expect([name, await statusOf(name)]).toEqual([name, 200]);

  expect(await statusOf('listMessages', started.data.id)).toBe(200);
  expect(await statusOf('verifyContact', known.id, { channel: 'email' })).toBe(202);
  expect(await statusOf('optOut', known.id, { channel: 'email' })).toBe(204);

  expect(await statusOf('cancelJourney', started.data.id)).toBe(200);
  expect(await statusOf('eraseContact', known.id)).toBe(202);
  const missing = Object.keys(client).filter((name) => !called.has(name));
  expect(missing, 'operations that this test must call too').toEqual([]);
});
