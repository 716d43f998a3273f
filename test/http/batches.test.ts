import { randomUUID } from 'node:crypto';
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
  test('is answered with what was accepted', async () => {
    const { status, body } = await bank.post({ batch_id: 'b', chunk_index: 3, records: records(2) });
    expect(status).toBe(202);
    expect(body).toEqual({
      batch_id: 'b',
      type: 'account',
      chunk_index: 3,
      records: 2,
      status: 'accepted',
      duplicate: false,
    });
  });

  test.each([undefined, null, ''])('gets a batch_id when its own is %j', async (batch_id) => {
    const { body } = await bank.post({ batch_id, chunk_index: null, records: records(1) });
    expect(body).toMatchObject({ batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/), chunk_index: null });
    expect(await bank.settled(body.batch_id)).toMatchObject({ batch_id: body.batch_id, status: 'completed' });
    const next = await bank.post({ batch_id, chunk_index: null, records: records(1) });
    expect(next.body.batch_id).not.toBe(body.batch_id);
  });

  test.each(['account', 'accounts'])('of type %s is told to be of type account', async (type) => {
    const { body } = await bank.post({ type, batch_id: type, records: records(1) });
    expect(body.type).toBe('account');
    expect((await bank.settled(type)).type).toBe('account');
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

  test('has its last chunk filled up with what is left', async () => {
    await bank.post({ batch_id: 'odd', records: mappings(501) });
    expect(await bank.settled('odd')).toMatchObject({
      chunks: { accepted: 2 },
      records: { accepted: 501, applied: 501 },
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

  test('is accepted once of twenty requests at the same time', async () => {
    const requests = Array.from({ length: 20 }, (_, n) =>
      bank.post({ batch_id: 'b', chunk_index: 0, records: [record('1', { nickname: `${n}` }), record(`only ${n}`)] }),
    );
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    expect(await bank.settled('b')).toMatchObject({
      chunks: { accepted: 1, completed: 1 },
      records: { accepted: 2, applied: 2 },
    });
  });

  test('is free for the corrected request after one that was refused', async () => {
    const request = { batch_id: 'b', chunk_index: 0 };
    const bad = record('2', { balance: 'plenty' });
    refused(await bank.post({ ...request, records: [record('1'), bad] }), 422, 'validation_failed');
    expect((await bank.status('b')).status).toBe(404);
    const { body } = await bank.post({ ...request, records: [record('1')] });
    expect(body).toMatchObject({ duplicate: false, records: 1 });
    expect((await bank.settled('b')).records).toMatchObject({ accepted: 1, applied: 1 });
  });

  test('is each team’s own', async () => {
    const other = await Bank.open(api);
    const request = { batch_id: 'nightly', chunk_index: 0, records: records(1) };
    expect((await bank.post(request)).body.duplicate).toBe(false);
    expect((await other.post({ ...request, records: records(2) })).body).toMatchObject({
      duplicate: false,
      records: 2,
    });
    expect((await bank.settled('nightly')).records.accepted).toBe(1);
  });
});

test('requests without chunk_index are never duplicates of one another', async () => {
  const request = { batch_id: 'b', records: records(2) };
  const answers = await Promise.all([bank.post(request), bank.post(request), bank.post(request)]);
  for (const { body } of answers) expect(body).toMatchObject({ duplicate: false, chunk_index: null });
  expect(await bank.settled('b')).toMatchObject({
    chunks: { accepted: 3, completed: 3 },
    records: { accepted: 6, applied: 2, unchanged: 4 },
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
  test.each([undefined, null, ''])('is refused: a chunk_index with a batch_id that is %j', async (batch_id) => {
    const answer = await bank.post({ batch_id, chunk_index: 0, records: records(1) });
    refused(answer, 400, 'invalid_request');
    expect(pathsOf(answer)).toEqual(['/batch_id']);
  });

  test('is refused: a chunk_index with more than 500 records', async () => {
    const answer = await bank.post({ batch_id: 'b', chunk_index: 0, records: mappings(501) });
    refused(answer, 400, 'invalid_request');
    expect(pathsOf(answer)).toEqual(['/records']);
    expect((await bank.status('b')).status).toBe(404);
    expect((await bank.post({ batch_id: 'b', chunk_index: 0, records: mappings(500) })).status).toBe(202);
  });

  test('is refused for both at once', async () => {
    expect(pathsOf(await bank.post({ chunk_index: 0, records: mappings(501) }))).toEqual(['/batch_id', '/records']);
  });

  test('has the rules that it breaks named beside it', async () => {
    const wrong = [record('1', { balance: 'much' }), ...mappings(500)];
    const answer = await bank.post({ type: 'x', chunk_index: 3, chunk_count: 2, records: wrong });
    refused(answer, 400, 'invalid_request');
    expect(pathsOf(answer).sort()).toEqual(['/batch_id', '/chunk_index', '/records', '/records/0/balance', '/type']);
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
  test.each<[what: string, request: object, path: string]>([
    ['has no records', { records: [] }, '/records'],
    ['has more than 10,000 records', { records: mappings(10_001) }, '/records'],
    ['lacks its records', {}, '/records'],
    ['has records that are no array', { records: {} }, '/records'],
    ['has a type that is not taken', { type: 'contacts', records: records(1) }, '/type'],
    ['has no type', { type: undefined, records: records(1) }, '/type'],
    [
      'has a chunk_index that is too large',
      { batch_id: 'b', chunk_index: 1_000_000, records: records(1) },
      '/chunk_index',
    ],
    ['has a batch_id that is no text', { batch_id: 7, records: records(1) }, '/batch_id'],
  ])('%s', async (_, request, path) => {
    const answer = await bank.post(request);
    refused(answer, 422, 'validation_failed');
    expect(pathsOf(answer)).toEqual([path]);
  });

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

  test('has its first hundred faults named', async () => {
    const wrong = (count: number) => Array.from({ length: count }, (_, n) => record(`${n}`, { nickname: 7 }));
    expect(pathsOf(await bank.post({ records: wrong(100) }))).toHaveLength(100);
    const many = pathsOf(await bank.post({ records: wrong(600) }));
    expect(many).toHaveLength(100);
    expect(many.at(-1)).toBe('/records/99/nickname');
  });
});

test('a request of more than 4 MB is too large', async () => {
  const long = (bytes: number) => [record('1', { meta_public: { filler: 'x'.repeat(bytes) } })];
  refused(await bank.post({ records: long(4 * 1024 * 1024) }), 413, 'payload_too_large');
  const below = await bank.post({ records: long(4 * 1024 * 1024 - 1000) });
  refused(below, 422, 'validation_failed');
});

test('a batch of nobody’s, or of another team, is not found', async () => {
  const other = await Bank.open(api);
  const batchId = randomUUID();
  await other.post({ batch_id: batchId, records: records(1) });
  await other.settled(batchId);
  for (const id of [batchId, randomUUID(), 'x'.repeat(300)]) {
    refused(await bank.get(`/v1/batches/${id}`), 404, 'not_found');
    refused(await bank.status(id), 404, 'not_found');
  }
});
