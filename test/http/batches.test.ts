import { beforeEach, describe, expect, test } from 'vitest';
import { Bank } from '../support/imports.ts';
import { service, type TestResponse } from '../support/service.ts';

const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const product = { code: 'CHK', type: 'checking' };
const record = (account_number: string, fields: object = {}) => ({ account_number, product, ...fields });
const records = (count: number) => Array.from({ length: count }, (_, n) => record(`${n}`));
const mappings = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ account_number: `${n}`, contact: { unique_id: `c${n}` } }));

const pathsOf = ({ body }: TestResponse): string[] => body.details.map(({ path }: { path: string }) => path);

const refused = (answer: TestResponse, status: number, error: string) => {
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error, message: expect.any(String), request_id: expect.any(String) });
};

describe('an accepted request', () => {
  test.each([undefined, null, ''])('gets a batch_id when its own is %j', async (batch_id) => {
    const { body } = await bank.post({ batch_id, chunk_index: null, records: records(1) });
    expect(body).toMatchObject({ batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/), chunk_index: null });
    expect(await bank.settled(body.batch_id)).toMatchObject({ batch_id: body.batch_id, status: 'completed' });
    const next = await bank.post({ batch_id, chunk_index: null, records: records(1) });
    expect(next.body.batch_id).not.toBe(body.batch_id);
  });

  test('may hold 10,000 records, which become chunks of 500', async () => {
    const repeated = Array.from({ length: 20 }, () => mappings(500)).flat();
    const { status, body } = await bank.post({ batch_id: 'big', records: repeated });
    expect(status).toBe(202);
    expect(body).toMatchObject({ records: 10_000, chunk_index: null, duplicate: false });
    expect(await bank.settled('big')).toMatchObject({
      status: 'completed',
      chunks: { accepted: 20, completed: 20, failed: 0 },
      records: { accepted: 10_000, applied: 500, unchanged: 9500 },
    });
  });
});

describe('a pair of batch_id and chunk_index', () => {
  test.each([
    ['1', '1.0'],
    ['0', '-0'],
    ['1000', '1e3'],
  ])('is the same whether its index is written %s or %s', async (plain, odd) => {
    const text = (index: string) =>
      `{"type":"account","batch_id":"b","chunk_index":${index},"records":[${JSON.stringify(record('1'))}]}`;
    expect((await bank.send(text(plain))).body).toMatchObject({ chunk_index: Number(plain), duplicate: false });
    expect((await bank.send(text(odd))).body).toMatchObject({ chunk_index: Number(plain), duplicate: true });
  });
});

describe('the id of a batch', () => {
  test.each([
    ['128 characters', 'x'.repeat(128)],
    ['128 characters of four bytes', '😀'.repeat(128)],
    ['a slash', 'a/b'],
    ['a question mark', 'what?'],
    ['what separates parameters', 'a#b&c=d%2F+e'],
    ['a NUL character', 'a\u0000b'],
    ['characters that are none', '\ufffe\uffff'],
    ['a dot segment', '..'],
    ['a blank', ' '],
  ])('may be or have %s', async (_, batch_id) => {
    const { status, body } = await bank.post({ batch_id, chunk_index: 0, records: records(1) });
    expect(status).toBe(202);
    expect(body.batch_id).toBe(batch_id);
    expect(await bank.settled(batch_id)).toMatchObject({ batch_id, status: 'completed' });
  });

  test.each(['a b', 'a/b', 'é😀', 'a%2Fb'])('may stand in a path, percent-encoded: %s', async (batch_id) => {
    await bank.post({ batch_id, records: records(1) });
    const { status, body } = await bank.get(`/v1/batches/${encodeURIComponent(batch_id)}`);
    expect([status, body.batch_id]).toEqual([200, batch_id]);
  });

  test.each([
    ['has no more than 128 characters', 'x'.repeat(129)],
    ['has no more than 128 characters of four bytes', '😀'.repeat(129)],
    ['holds no trace of a broken encoding', 'caf\ufffd'],
    ['is well-formed', 'a\ud800'],
  ])('%s', async (_, batch_id) => {
    const answer = await bank.post({ batch_id, records: records(1) });
    refused(answer, 422, 'validation_failed');
    expect(pathsOf(answer)).toEqual(['/batch_id']);
    // Nor is it there for a repeat of the pair.
    const pair = await bank.post({ batch_id, chunk_index: 0, records: records(1) });
    expect(pair.status).toBe(422);
  });
});

describe('a request that cannot be honoured', () => {
  test('is refused for both at once', async () => {
    expect(pathsOf(await bank.post({ chunk_index: 0, records: mappings(501) }))).toEqual(['/batch_id', '/records']);
  });

  test('has its first hundred faults named, those that make it meaningless first', async () => {
    const wrong = Array.from({ length: 501 }, (_, n) => record(`${n}`, { nickname: 7 }));
    const answer = await bank.post({ batch_id: 'b', chunk_index: 0, records: wrong });
    refused(answer, 400, 'invalid_request');
    expect(pathsOf(answer)).toHaveLength(100);
    expect(pathsOf(answer)[0]).toBe('/records');
  });
});

describe('a request that breaks a rule', () => {
  test('has every bad record named, and nothing of it is stored', async () => {
    const contactId = await bank.contact('c');
    const contact = { unique_id: 'c' };
    const bad = [
      record('1', { contact }),
      { account_number: '2', contact, nickname: 'x' },
      record('3', { contact, balance: 'much' }),
      { ...record('4', { contact }), product: { code: 'P', type: 'card', standardized_type: null } },
    ];
    const answer = await bank.post({ batch_id: 'b', records: bad });
    refused(answer, 422, 'validation_failed');
    expect(pathsOf(answer)).toEqual([
      '/records/1/product',
      '/records/2/balance',
      '/records/3/product/type',
      '/records/3/product/standardized_type',
    ]);
    for (const { message } of answer.body.details) expect(message).not.toMatch(/much|card/);
    expect(await bank.accounts(contactId)).toEqual([]);
    expect((await bank.status('b')).status).toBe(404);
  });
});
