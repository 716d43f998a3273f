import { beforeEach, describe, expect, test } from 'vitest';
import { Bank } from '../support/imports.ts';
import { service, type TestResponse } from '../support/service.ts';

const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const records = [{ account_number: '1', product: { code: 'CHK', type: 'checking' } }];
const chunk = (chunk_index: number, chunk_count?: number) =>
  bank.post({ batch_id: 'b', chunk_index, records, ...(chunk_count === undefined ? {} : { chunk_count }) });
const pathsOf = ({ body }: TestResponse) => body.details.map(({ path }: { path: string }) => path);
/** Once this many chunks are completed. */
async function completed(count: number) {
  for (let round = 0; round < 300; round++) {
    const { body } = await bank.status('b');
    if (body.chunks.completed === count) return body;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error('the chunks were not completed');
}

describe('a batch whose number of chunks is known', () => {
  test('is processing until all have ended, and names those that are missing', async () => {
    expect((await chunk(2, 4)).status).toBe(202);
    expect(await completed(1)).toMatchObject({
      status: 'processing',
      chunks: { accepted: 1, completed: 1, expected: 4, missing: [0, 1, 3] },
      completed_at: null,
    });
    await chunk(0);
    await chunk(3, 4);
    expect(await completed(3)).toMatchObject({ status: 'processing', chunks: { expected: 4, missing: [1] } });
    await chunk(1);
    expect(await bank.settled('b')).toMatchObject({
      status: 'completed',
      chunks: { accepted: 4, completed: 4, expected: 4, missing: [] },
      completed_at: expect.any(String),
    });
  });

  test('may learn the number from a later chunk', async () => {
    await chunk(0);
    expect((await bank.settled('b')).chunks).not.toHaveProperty('expected');
    await chunk(1, 3);
    expect(await completed(2)).toMatchObject({ status: 'processing', chunks: { expected: 3, missing: [2] } });
  });

  test('names the first hundred missing indexes', async () => {
    await chunk(0, 1_000_000);
    const { chunks } = await completed(1);
    expect(chunks.expected).toBe(1_000_000);
    expect(chunks.missing).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  test('refuses a chunk that names another number, and stores nothing of it', async () => {
    await chunk(0, 3);
    const answer = await chunk(1, 4);
    expect(answer.status).toBe(409);
    expect(answer.body.error).toBe('conflict');
    expect(answer.body.details).toEqual([{ path: '/chunk_count', message: expect.stringMatching(/3.*4/) }]);
    expect((await completed(1)).chunks).toMatchObject({ accepted: 1, expected: 3, missing: [1, 2] });
    expect((await chunk(1, 3)).body).toMatchObject({ duplicate: false });
  });

  test('is told one number by twenty requests that name two at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => chunk(n, 20 + (n % 2))));
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect(accepted).toBe(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    expect((await completed(10)).chunks).toMatchObject({ accepted: 10 });
  });
});

test.each<[string, object, string]>([
  ['without a chunk_index', { chunk_count: 3 }, '/chunk_count'],
  ['that the index does not lie below', { batch_id: 'b', chunk_index: 3, chunk_count: 3 }, '/chunk_index'],
  ['of 0', { batch_id: 'b', chunk_index: 0, chunk_count: 0 }, '/chunk_count'],
  ['of more than 1,000,000', { batch_id: 'b', chunk_index: 0, chunk_count: 1_000_001 }, '/chunk_count'],
  ['that is not whole', { batch_id: 'b', chunk_index: 0, chunk_count: 1.5 }, '/chunk_count'],
  ['that is a text', { batch_id: 'b', chunk_index: 0, chunk_count: '3' }, '/chunk_count'],
])('a chunk_count %s is refused', async (_, request, path) => {
  const answer = await bank.post({ records, ...request });
  expect(answer.status).toBe(422);
  expect(answer.body.error).toBe('validation_failed');
  expect([...new Set(pathsOf(answer))]).toEqual([path]);
  expect((await bank.status('b')).status).toBe(404);
});

test('a chunk_count of null counts as absent', async () => {
  expect((await bank.post({ batch_id: 'b', chunk_count: null, records })).status).toBe(202);
});
