import fc from 'fast-check';
import { expect, test } from 'vitest';
import { service } from '../../support/service/service.ts';

/** Unusual bodies: each gets a documented response, and what is right is stored. */
const api = await service();
const team = await api.newTeam();

const post = (body: unknown, path = '/v1/contacts') => api.request('POST', path, { token: team.token, body });
const stored = async (text: string) => {
  const created = await post(text);
  expect(created.status).toBe(201);
  const headers = { authorization: `Bearer ${team.token}` };
  return (await fetch(new URL(`/v1/contacts/${created.body.id}`, api.baseUrl), { headers })).text();
};

test('any JSON is answered as documented', async () => {
  const shapes = ['contacts', 'records', 'type', 'chunk_index', 'batch_id', 'unique_id', 'meta_public', 'product'];
  const value = fc.jsonValue({ maxDepth: 3 });
  const body = fc.oneof(value, fc.dictionary(fc.constantFrom(...shapes), value));
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom('/v1/contacts', '/v1/batches'), async (any, path) => {
      expect((await post(JSON.stringify(any), path)).status).toBeLessThan(500);
    }),
    { numRuns: 80 },
  );
});

test('a body that is not UTF-8, in parts and without its length, is 400', async () => {
  const parts = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('{"unique_id":"M\xfc', 'latin1'));
      controller.enqueue(Buffer.from('ller"}', 'latin1'));
      controller.close();
    },
  });
  const { status } = await fetch(new URL('/v1/contacts', api.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${team.token}` },
    body: parts,
    duplex: 'half',
  } as RequestInit);
  expect(status).toBe(400);
});

test.each([
  ['more than 16 KB', { a: 'x'.repeat(17_000) }],
  ['3 MB', { a: 'x'.repeat(3_000_000) }],
  ['a lone surrogate', { '\ud800': 1 }],
])('an account whose metadata has %s is 422', async (_, meta_public) => {
  const record = { account_number: '1', product: { code: 'P', type: 'checking' }, meta_public };
  const { status, body } = await post({ type: 'account', records: [record] }, '/v1/batches');
  expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([422, ['/records/0/meta_public']]);
});

test('numbers keep their value to the digit', async () => {
  const text = await stored(
    '{"unique_id":"digits","meta_public":{"a":12345678901234567890,"b":1.50,"c":-0,"d":1e3,"e":0.1}}',
  );
  expect(text).toContain('"meta_public":{"a":12345678901234567890,"b":1.5,"c":0,"d":1000,"e":0.1}');
});

test('metadata keep their keys, whatever keys another team has sent before', async () => {
  const { token } = await api.newTeam();
  const before = '{"unique_id":"keys","meta_public":{"!":"1","\\\\":"2"},"meta_private":{"two":"1","\\\\u0":"2"}}';
  expect((await api.request('POST', '/v1/contacts', { token, body: before })).status).toBe(201);
  const text = await stored(
    '{"unique_id":"keys","meta_public":{"!":"1","\\"":"2"},"meta_private":{"two":"1","\\u00e9t\\u00e9":"2"}}',
  );
  expect(text).toContain('"meta_public":{"!":"1","\\"":"2"},"meta_private":{"two":"1","été":"2"}');
});

test('the largest contact there can be is stored, listed and found', async () => {
  const wide = '\u0000'.repeat(1024);
  const fields = ['name_title', 'name_first', 'name_last', 'name_suffix', 'address', 'address2', 'city', 'state'];
  const more = ['county', 'country', 'post_code', 'timezone', 'email'];
  const metadata = { a: '😀'.repeat(4_080) };
  const record = {
    unique_id: 'x'.repeat(1024),
    ...Object.fromEntries([...fields, ...more].map((field) => [field, wide])),
    phone_home: '1'.repeat(15),
    meta_public: metadata,
    meta_private: metadata,
  };
  expect(JSON.parse(await stored(JSON.stringify(record)))).toMatchObject(record);
  const path = `/v1/contacts?search=${'x'.repeat(1024)}&sort_column=email`;
  expect((await api.request('GET', path, { token: team.token })).body.contacts).toHaveLength(1);
});
