import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { service, type TestResponse, type TestService, type TestTeam } from '../support/service.ts';

let running: TestService;
let team: TestTeam;
/** Statuses that the OpenAPI document gives each POST. */
let documented: Record<string, string[]>;

beforeAll(async () => {
  running = await service();
  team = await running.newTeam();
  const { body } = await running.request('GET', '/openapi.json');
  const statuses = (path: string) => Object.keys(body.paths[path].post.responses);
  documented = { '/v1/contacts': statuses('/v1/contacts'), '/v1/batches': statuses('/v1/batches') };
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
  const answer = await running.request('POST', path, { body, token: team.token, headers });
  expect(documented[path]).toContain(String(answer.status));
  expect(answer.status).toBeLessThan(500);
  return answer;
}

const pathsOf = (answer: TestResponse) => answer.body.details?.map((fault: { path: string }) => fault.path);
const nested = (open: string, close: string, depth: number, core: string) =>
  open.repeat(depth) + core + close.repeat(depth);
const surrogate = String.raw`"\ud800"`;

let batches = 0;
/** A batch of one record, written as text so that a test can put anything anywhere. */
const batch = (record: string, rest = '') =>
  `{"type":"account","batch_id":"bad-input-${batches++}","records":[${record}]${rest}}`;
const record = (fields: string) => `{"account_number":"bad-1","product":{"code":"P","type":"checking"}${fields}}`;

describe.each([
  ['contacts', '/v1/contacts', (meta: string) => `{"unique_id":"bad-1","meta_public":${meta}}`, '/meta_public'],
  ['batches', '/v1/batches', (meta: string) => batch(record(`,"meta_public":${meta}`)), '/records/0/meta_public'],
])('a body for %s', (_, path, bodyWith, metaPath) => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{"unique_id":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"text"'],
    ['objects nested 10,000 deep', bodyWith(nested('{"a":', '}', 10_000, '1'))],
    ['arrays nested 10,000 deep', bodyWith(nested('[', ']', 10_000, '1'))],
    ['a nest that is never closed', '['.repeat(100_000)],
    ['a number beyond the range of a double', bodyWith('{"a":1e999}')],
    ['such a number below zero', bodyWith('{"a":[-1e400]}')],
    ['a number of more than 1,024 characters', bodyWith(`{"a":${'1'.repeat(1025)}}`)],
  ])('that is or has %s cannot be understood', async (_case, body) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
    expect(pathsOf(answer)).toEqual(['']);
  });

  test.each([
    ['more than 16 KB', JSON.stringify({ a: 'x'.repeat(17_000) })],
    ['more than 1,000 keys', JSON.stringify(Array.from({ length: 1001 }, () => 1))],
    ['3 MB', JSON.stringify({ a: 'x'.repeat(3_000_000) })],
    ['a lone surrogate as a value', `{"a":${surrogate}}`],
    ['a lone surrogate in a key', `{${surrogate}:1}`],
    ['no keys at all, being text', '"text"'],
  ])('whose metadata have %s breaks a rule', async (_case, meta) => {
    const answer = await post(path, bodyWith(meta));
    expect(answer.status).toBe(422);
    expect(pathsOf(answer)).toEqual([metaPath]);
  });

  test.each([
    ['5', 5],
    ['6', 6],
    ['11', 11],
  ])('of %s MB is too large', async (_case, megabytes) => {
    const answer = await post(path, bodyWith(JSON.stringify({ a: 'x'.repeat(megabytes * 1024 * 1024) })));
    expect(answer.status).toBe(413);
  });

  test.each([
    { 'content-type': 'text/plain' },
    { 'content-encoding': 'gzip' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
  ])('declared as %j is refused', async (headers) => {
    expect((await post(path, bodyWith('{}'), headers)).status).toBe(415);
  });

  test('of any JSON is answered as documented', async () => {
    const shapes = ['contacts', 'records', 'type', 'chunk_index', 'batch_id', 'unique_id', 'meta_public', 'product'];
    const value = fc.jsonValue({ maxDepth: 3 });
    const body = fc.oneof(value, fc.dictionary(fc.constantFrom(...shapes), value));
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        await post(path, JSON.stringify(any));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a contact', () => {
  const stored = async (fields: string) => {
    const answer = await post('/v1/contacts', `{"unique_id":"odd-${batches++}",${fields}}`);
    expect(answer.status).toBe(201);
    return (await running.request('GET', `/v1/contacts/${answer.body.id}`, { token: team.token })).body;
  };

  test('may have NUL characters in its text and its id', async () => {
    expect((await stored(String.raw`"name_first":"a\u0000b"`)).name_first).toBe('a\0b');
    const answer = await post('/v1/contacts', String.raw`{"unique_id":"a\u0000b"}`);
    expect(answer.body.unique_id).toBe('a\0b');
  });

  test('takes the last of keys that repeat', async () => {
    expect((await stored('"city":"first","city":"last"')).city).toBe('last');
  });

  test('has keys called __proto__ and constructor as data in its metadata', async () => {
    const contact = await stored('"meta_public":{"__proto__":{"a":1},"constructor":"c"},"__proto__":{"city":"x"}');
    expect(Object.entries(contact.meta_public).sort()).toEqual([
      ['__proto__.a', 1],
      ['constructor', 'c'],
    ]);
    expect(contact.city).toBeNull();
  });

  test('keeps the digits of a number that a double would not', async () => {
    const id = (await stored('"meta_public":{"a":12345678901234567890}')).id;
    const response = await fetch(`${running.baseUrl}/v1/contacts/${id}`, {
      headers: { authorization: `Bearer ${team.token}` },
    });
    expect(await response.text()).toContain('"a":12345678901234567890');
  });

  test('may be nested as deep as a body may be', async () => {
    const contact = await stored(`"meta_public":${nested('{"a":', '}', 900, '1')}`);
    expect(Object.keys(contact.meta_public)).toEqual([Array(900).fill('a').join('.')]);
  });
});

describe('chunk_index', () => {
  test.each([
    ['1.0', 1],
    ['1e0', 1],
    ['1e3', 1000],
    ['-0', 0],
    ['0e10', 0],
    ['999999', 999_999],
    ['null', null],
  ])('written as %s is %s', async (text, index) => {
    const answer = await post('/v1/batches', batch(record(''), `,"chunk_index":${text}`));
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ chunk_index: index, duplicate: false });
  });

  test.each(['"1"', '1.5', '-1', '1e6', '1e-3', 'true', '[]', '{}', '""', '9007199254740993'])(
    'written as %s breaks a rule',
    async (text) => {
      const answer = await post('/v1/batches', batch(record(''), `,"chunk_index":${text}`));
      expect(answer.status).toBe(422);
      expect(new Set(pathsOf(answer))).toEqual(new Set(['/chunk_index']));
    },
  );
});

describe('an account record', () => {
  test.each([
    ['NUL characters', String.raw`{"account_number":"a\u0000b","contact":{"unique_id":"c\u0000"}}`],
    [
      'keys called __proto__ and constructor',
      record(',"__proto__":{"x":1},"meta_public":{"__proto__":1,"constructor":2}'),
    ],
    ['keys that repeat', record(',"nickname":7,"nickname":"last"')],
    ['more digits than a double has', record(',"balance":0.12345678901234567890123')],
    ['fields that nobody knows', record(',"colour":"red","contact":{"unique_id":"c","shoe_size":9}')],
  ])('with %s is taken', async (_case, text) => {
    expect((await post('/v1/batches', batch(text))).status).toBe(202);
  });
});
