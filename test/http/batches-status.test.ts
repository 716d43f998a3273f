import { beforeEach, describe, expect, test } from 'vitest';
import { mergedTooLarge } from '../../lib/domain/account.ts';
import { failNextChunk, importDependencies, postBatch } from '../support/import-operations.ts';
import { Bank } from '../support/imports.ts';
import { service } from '../support/service.ts';

const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const record = (account_number: string, fields: object = {}) => ({
  account_number,
  product: { code: 'CHK', type: 'checking' },
  ...fields,
});
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

const chunk = (chunk_index: number, chunk_count?: number) =>
  bank.post({
    batch_id: 'b',
    chunk_index,
    records: [record('1')],
    ...(chunk_count === undefined ? {} : { chunk_count }),
  });
/** Once this many chunks are completed. */
async function completed(count: number) {
  for (let round = 0; round < 300; round++) {
    const { body } = await bank.status('b');
    if (body.chunks.completed === count) return body;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error('the chunks were not completed');
}

describe('the state of a batch', () => {
  test('goes from processing to completed, and with another chunk again', async () => {
    await bank.post({ batch_id: 'b', chunk_index: 0, records: [record('1'), record('2')] });
    const completed = await bank.settled('b');
    expect(completed).toEqual({
      batch_id: 'b',
      type: 'account',
      status: 'completed',
      chunks: { accepted: 1, completed: 1, failed: 0 },
      records: { accepted: 2, applied: 2, unchanged: 0, superseded: 0, rejected: 0 },
      errors: [],
      inserted_at: timestamp,
      completed_at: timestamp,
    });
    expect(completed.completed_at >= completed.inserted_at).toBe(true);

    // Its wake is sent to a queue without a reader.
    const unread = importDependencies(api.database);
    await postBatch(unread, bank.team.teamId, { batch_id: 'b', chunk_index: 1, records: [record('3')] });
    const processing = {
      ...completed,
      status: 'processing',
      chunks: { accepted: 2, completed: 1, failed: 0 },
      records: { ...completed.records, accepted: 3 },
      completed_at: null,
    };
    expect((await bank.status('b')).body).toEqual(processing);

    await failNextChunk(unread, bank.team.teamId);
    const chunks = { accepted: 2, completed: 1, failed: 1, failed_indexes: [1] };
    const failed = { ...processing, status: 'failed', chunks };
    expect((await bank.status('b')).body).toEqual(failed);

    // A repeat of the pair puts the failed chunk back among the open ones; its own records are ignored.
    const again = await bank.post({ batch_id: 'b', chunk_index: 1, records: [record('4'), record('5')] });
    expect(again.body).toMatchObject({ duplicate: true, records: 1, same_records: false, redriven: true });
    expect(await bank.settled('b')).toMatchObject({
      status: 'completed',
      chunks: { accepted: 2, completed: 2, failed: 0 },
      records: { accepted: 3, applied: 3 },
      inserted_at: completed.inserted_at,
    });
  });

  test('counts a record that changes nothing as unchanged', async () => {
    const contact = { unique_id: 'c', role: 'primary' };
    const full = record('1', { contact, nickname: 'n', balance: 12.5, meta_public: { a: [1, 2] } });
    expect((await bank.apply(full)).records).toMatchObject({ applied: 1, unchanged: 0 });
    const saying = [
      full,
      record('1'),
      record('1', { nickname: 'n', balance: '12.5', 'meta_public.a': [1, 2] }),
      record('1', { product: { code: 'CHK', type: 'loan', name: 'ignored' }, micr: null }),
      { account_number: '1', contact: { unique_id: 'c' } },
    ];
    expect((await bank.apply(...saying)).records).toMatchObject({ applied: 0, unchanged: 5 });
    const changing = [
      record('1', { contact: { unique_id: 'c', role: 'joint' } }),
      record('1', { contact: { unique_id: 'd' } }),
      record('1', { balance: '12.50' }),
      record('1', { balance: '12.50' }),
    ];
    expect((await bank.apply(...changing)).records).toMatchObject({ applied: 3, unchanged: 1 });
  });

  test('names the records that only the merged account breaks a limit with', async () => {
    const half = (key: string) => ({ meta_public: { [key]: 'x'.repeat(9000) } });
    const contactId = await bank.contact('c');
    const contact = { unique_id: 'c' };
    await bank.apply(record('1', { ...half('a'), contact, nickname: 'kept' }));
    await bank.post({ batch_id: 'b', chunk_index: 4, records: [record('2')] });
    const bad = record('1', { ...half('b'), nickname: 'lost' });
    await bank.post({ batch_id: 'b', chunk_index: 7, records: [record('3'), bad, record('4'), bad] });
    const status = await bank.settled('b');
    expect(status).toMatchObject({
      status: 'completed',
      records: { accepted: 5, applied: 3, unchanged: 0, superseded: 0, rejected: 2 },
    });
    expect(status.errors).toEqual([
      { chunk: 7, record: 1, message: mergedTooLarge },
      { chunk: 7, record: 3, message: mergedTooLarge },
    ]);
    expect(await bank.accounts(contactId)).toMatchObject([{ account: { nickname: 'kept' } }]);
  });

  test('names the first hundred of them', async () => {
    await bank.apply(record('1', { meta_public: { a: 'x'.repeat(16_000) } }));
    const bad = Array.from({ length: 130 }, (_, n) => record('1', { meta_public: { b: 'x'.repeat(400 + n) } }));
    const status = await bank.apply(...bad);
    expect(status.records).toMatchObject({ rejected: 130 });
    expect(status.errors.map((error: { record: number }) => error.record)).toEqual([...Array(100).keys()]);
  });

  test('tells of a single chunk alone, and of every record of it that was rejected', async () => {
    await bank.apply(record('1', { meta_public: { a: 'x'.repeat(16_000) } }));
    const bad = Array.from({ length: 130 }, () => record('1', { meta_public: { b: 'x'.repeat(400) } }));
    await bank.post({ batch_id: 'b', chunk_index: 3, records: [record('2')] });
    await bank.post({ batch_id: 'b', chunk_index: 7, records: bad });
    await bank.settled('b');
    for (const path of ['/v1/batches/b?', '/v1/batches?batch_id=b&']) {
      const { status, body } = await bank.get(`${path}chunk_index=7`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ chunks: { accepted: 1, completed: 1 }, records: { accepted: 130, rejected: 130 } });
      expect(body.errors.map(({ chunk, record }: { chunk: number; record: number }) => [chunk, record])).toEqual(
        bad.map((_, at) => [7, at]),
      );
      expect((await bank.get(`${path}chunk_index=3`)).body.records).toMatchObject({ accepted: 1, applied: 1 });
      expect((await bank.get(`${path}chunk_index=4`)).status).toBe(404);
      for (const wrong of ['', '-1', '1.5', 'x', '1000000']) {
        expect((await bank.get(`${path}chunk_index=${wrong}`)).status).toBe(400);
      }
    }
  });
});

test('the empty batch_id names no batch', async () => {
  const { status, body } = await bank.get('/v1/batches?batch_id=');
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'invalid_request', details: [{ path: 'batch_id' }] });
});

describe('a batch whose number of chunks is known', () => {
  test('may learn the number from a later chunk', async () => {
    await chunk(0);
    expect((await bank.settled('b')).chunks).not.toHaveProperty('expected');
    await chunk(1, 3);
    expect(await completed(2)).toMatchObject({ status: 'processing', chunks: { expected: 3, missing: [2] } });
  });

  test('is told one number by twenty requests that name two at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => chunk(n, 20 + (n % 2))));
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect(accepted).toBe(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    expect((await completed(10)).chunks).toMatchObject({ accepted: 10 });
  });
});

test('a chunk_count of null counts as absent', async () => {
  expect((await bank.post({ batch_id: 'b', chunk_count: null, records: [record('1')] })).status).toBe(202);
});
