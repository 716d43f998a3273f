import { beforeEach, describe, expect, test } from 'vitest';
import { failNextChunk, postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

/** The state of a batch: what the checks of test/judges/acceptance and test/unit/imports/batch-status.test.ts leave open. */
const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const record = (account_number: string, fields: object = {}) => ({
  ...{ account_number, product: { code: 'CHK', type: 'checking' } },
  ...fields,
});
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

const chunk = (chunk_index: number, chunk_count: number) =>
  bank.post({ batch_id: 'b', chunk_index, chunk_count, records: [record('1')] });

describe('the state of a batch', () => {
  test('goes from processing to completed, and with another chunk again', async () => {
    // Wakes are sent to a queue without a reader.
    const unread = serviceOn(api.database);
    const post = (chunk_index: number, ...records: object[]) =>
      postBatch(unread, bank.team.teamId, { batch_id: 'b', chunk_index, records });
    await post(0, record('1'), record('2'));
    await workAll(unread, bank.team.teamId);
    const completed = (await bank.status('b')).body;
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

    await post(1, record('3'));
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

  test('tells of a single chunk alone, and of every record of it that was rejected', async () => {
    await bank.apply(record('1', { meta_public: { a: 'x'.repeat(16_000) } }));
    const bad = Array.from({ length: 130 }, () => record('1', { meta_public: { b: 'x'.repeat(400) } }));
    await bank.post({ batch_id: 'b', chunk_index: 3, records: [record('2')] });
    await bank.post({ batch_id: 'b', chunk_index: 7, records: bad });
    expect((await bank.settled('b')).errors).toHaveLength(100);
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
    const { status, body } = await bank.get('/v1/batches?batch_id=');
    expect([status, body.details]).toMatchObject([400, [{ path: 'batch_id' }]]);
  });
});

describe('a batch whose number of chunks is known', () => {
  test('may learn the number from a later chunk', async () => {
    await bank.post({ batch_id: 'b', chunk_index: 0, records: [record('1')] });
    expect((await bank.status('b')).body.chunks).not.toHaveProperty('expected');
    await chunk(1, 3);
    expect((await bank.status('b')).body).toMatchObject({
      status: 'processing',
      chunks: { expected: 3, missing: [2] },
    });
  });

  test('is told one number by twenty requests that name two at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => chunk(n, 20 + (n % 2))));
    for (const expected of [202, 409]) expect(answers.filter(({ status }) => status === expected)).toHaveLength(10);
    expect((await bank.status('b')).body.chunks).toMatchObject({ accepted: 10 });
  });
});
