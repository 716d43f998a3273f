import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addressHash } from '../../../lib/auth/address-hash.ts';
import { sealMailLink } from '../../../lib/auth/mail-links.ts';
import { routes } from '../../../lib/routes.ts';
import { findSlug } from '../../../lib/store/journeys/journeys.ts';
import { chunksOf } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { accountKey, journeyActionKey, linkKey } from '../../../lib/store/table/keys.ts';
import { faultProxy, withoutStream } from '../../support/aws/fault-proxy.ts';
import { type Embedding, embedding, type Person, pageFor } from '../../support/service/channels.ts';
import { Bank } from '../../support/service/imports.ts';
import { startService, type TestRequest } from '../../support/service/service.ts';

/** Contract, section 1: what a public route reads is bounded, whatever it is sent and whatever a contact has. */
const most = { items: 200, queries: 1 };
/** More than one page of a query has: together with {@link filler}, they have more than a megabyte. */
const links = 800;

let api: Awaited<ReturnType<typeof startService>>;
let store: Awaited<ReturnType<typeof faultProxy>>;
let engine: Awaited<ReturnType<typeof withoutStream>>;
let bank: Embedding;
let person: Person;
let pageId: string;

const stamp = { order: 1, outcomes: 'a', inserted_at: '2026-01-01T00:00:00.000000Z' };
const numberOf = (n: number) => String(n).padStart(6, '0');
/** An attribute that no code reads. */
const filler = 'x'.repeat(1500);
/** The place of the one checking account among savings accounts. */
const checkingAt = 700;
const codeOf = (n: number) => (n === checkingAt ? 'CHK' : 'SAVE');
const types = { CHK: 'checking', SAVE: 'savings' };

beforeAll(async () => {
  store = await faultProxy(inject('dynamodbEndpoint'));
  // What the stream makes the service read later is not what the route reads.
  engine = await withoutStream(inject('dynamodbEndpoint'));
  const environment = { DYNAMODB_ENDPOINT: engine.endpoint, FUNCTIONS_DYNAMODB_ENDPOINT: store.endpoint };
  api = await startService({ environment });
  const container = { content_blocks: [{ type: 'text', data: { body: 'Your {{account.nickname}}' } }] };
  const pages = (channelId: string) => [
    pageFor(channelId, 'confirm', { content: 'Your {{account.nickname}}', container }),
    pageFor(channelId, 'open', { completion_product_type: 'checking' }),
  ];
  bank = await embedding(api, pages);
  pageId = bank.pages[0]!.id;
  person = await bank.person({ birthdate: '1980-01-02', phone_mobile: '5550101234' });
  // A link has the product only if it is imported together with its account, so one import writes the form of both.
  const { teamId } = bank;
  const records = Object.entries(types).map(([code, type]) => ({
    ...{ account_number: code, nickname: 'Mine', contact: { unique_id: 'other' } },
    product: { code, type },
  }));
  const imports = new Bank(api, { ...bank, clientId: '', clientSecret: '' });
  await imports.post({ batch_id: 'b', records });
  await imports.settled('b');
  const other = derivedContactId(teamId, 'other');
  const keysOf = (code: string) => [linkKey(teamId, other, code), accountKey(teamId, code)];
  const stored = new Map<string, unknown[]>();
  for (const code of Object.keys(types)) {
    stored.set(
      code,
      (await api.database.get(keysOf(code))).map((item) => item!.data),
    );
  }
  const items = Array.from({ length: links }, (_, n) => {
    const [link, account] = stored.get(codeOf(n))!;
    return [
      { ...linkKey(teamId, person.contactId, numberOf(n)), ...stamp, filler, data: link },
      { ...accountKey(teamId, numberOf(n)), ...stamp, data: account },
    ];
  });
  for (const some of chunksOf(items.flat(), 100)) {
    await api.database.write(some.map((item) => ({ kind: 'insert', item })));
  }
});
afterAll(async () => {
  await api.process.stop();
  store.stop();
  engine.stop();
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const many = (name: string, count: number) => Array.from({ length: count }, () => `${name}=${randomUUID()}`).join('&');
/** Assertions of clients that do not exist. Each names its client before its signature can be verified. */
const assertions = (count: number) =>
  Array.from({ length: count }, () => `client_assertion=${new UnsecuredJWT({ sub: randomUUID() }).encode()}`).join('&');
const journey = () => new URL(person.journeyUrl).pathname;
/** A link that unsubscribes the person, as a message to an address that is not on file any more has it. */
const mailLink = () => {
  const secret = readFileSync(api.local.messages_secret_file, 'utf8');
  const { teamId } = bank;
  const of = { purpose: 'unsubscribe', teamId, contactId: person.contactId, templateId: '', language: '' } as const;
  const hash = addressHash(secret, teamId, 'old@example.com')!;
  return `/m/${sealMailLink(secret, { ...of, hash, messageId: randomUUID() })}`;
};
const completed = () => ({ type: 'page_completed', page_id: pageId });

type Sent = [method: string, path: string, request: TestRequest, status: number];
const requests: Record<string, () => Sent[]> = {
  'create-token': () => [
    ['GET', `/oauth2/token?${many('client_id', 4)}&${many('client_secret', 150)}`, {}, 400],
    ['POST', `/oauth2/token?${many('client_id', 80)}&${many('client_secret', 80)}`, { body: {} }, 400],
    ['POST', '/oauth2/token', { body: `${many('client_id', 300)}`, headers: form }, 400],
    ['GET', `/oauth2/token?${assertions(20)}&${many('client_id', 4)}&client_secret=x`, {}, 400],
  ],
  'show-journey': () => [['GET', journey(), {}, 200]],
  'record-action': () => [
    ['POST', `${journey()}/actions`, { body: { type: 'page_viewed', page_id: pageId } }, 204],
    ['POST', `${journey()}/actions`, { body: completed() }, 204],
  ],
  'ask-identity': () => [['GET', `${journey()}/identity`, {}, 303]],
  'check-identity': () => [['POST', `${journey()}/identity`, { body: 'birth_month=1', headers: form }, 303]],
  'record-view': () => [['GET', `${journey()}/pages/${pageId}/viewed.gif`, {}, 200]],
  'show-mail-link': () => [['GET', mailLink(), {}, 200]],
  'use-mail-link': () => [
    ['POST', mailLink(), { body: 'List-Unsubscribe=One-Click', headers: form }, 200],
    ['POST', mailLink(), { body: 'act=resubscribe', headers: form }, 200],
  ],
  'show-channel-content': () => [['GET', person.path, {}, 200]],
  'record-content-action': () => [['POST', `${person.path}/actions`, { body: { type: 'page_completed' } }, 204]],
  'record-content-view': () => [['GET', `${person.path}/viewed.gif`, {}, 200]],
  'get-file': () => [['GET', `/files/${randomUUID()}`, {}, 404]],
  'get-openapi': () => [['GET', '/openapi.json', {}, 200]],
  'get-oauth-metadata': () => [['GET', '/.well-known/oauth-authorization-server', {}, 200]],
  'get-jwks': () => [['GET', '/.well-known/jwks.json', {}, 200]],
};

/** The keys of what only functions on a schedule read, at any time. */
const ofSchedules = /"(?:TEAMS|EXPECTED|T#[^"]*#Q)"/;

type Read = { RequestItems?: Record<string, { Keys: unknown[] }> };

async function readsOf([method, path, request, status]: Sent) {
  const from = store.requests.length;
  const response = await api.request(method, path, request);
  expect([path.slice(0, 80), response.status]).toEqual([path.slice(0, 80), status]);
  const seen = store.requests.slice(from).filter(({ body }) => !ofSchedules.test(JSON.stringify(body)));
  const keys = seen.flatMap(({ body }) => Object.values((body as Read).RequestItems ?? {}).flatMap(({ Keys }) => Keys));
  return { items: keys.length, queries: seen.filter(({ operation }) => operation === 'Query').length };
}

test('a page finds the account that completes it among very many', async () => {
  const slug = journey().split('/').at(-1)!;
  const key = (await findSlug(api.database, slug))!;
  const action = journeyActionKey(bank.teamId, key.contactId, key.templateId, {
    kind: 'completed',
    page_id: bank.pages[1]!.id,
  });
  await readsOf(['GET', journey(), {}, 200]);
  expect(await api.database.get([action])).toEqual([expect.any(Object)]);
});

test('every public route is here', () => {
  const ids = routes.filter(({ access }) => access === 'public').map(({ id }) => id);
  expect(Object.keys(requests).sort()).toEqual([...ids].sort());
});

test.each(Object.keys(requests))('%s reads no more than the bound, also with a long query string', async (id) => {
  for (const [method, path, request, status] of requests[id]!()) {
    const long = path.includes('?') ? [] : [`${path}?${many('account', 150)}`];
    for (const each of [path, ...long]) {
      const { items, queries } = await readsOf([method, each, request, status]);
      expect(items).toBeLessThanOrEqual(id === 'create-token' && each === path ? 4 : most.items);
      expect(queries).toBeLessThanOrEqual(most.queries);
    }
  }
});
