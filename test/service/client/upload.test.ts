import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  type BatchInput,
  type BatchSummary,
  ConflictError,
  DifferentRecordsError,
  OnboardingClient,
  onceThereIsRoom,
  type Source,
  UploadError,
} from '../../../client/index.ts';
import { upload } from '../../../client/upload.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { service } from '../../support/service/service.ts';

const recordsOf = (count: number, nickname = 'n') =>
  Array.from({ length: count }, (_, n) => ({
    account_number: `${n}`,
    contact: { unique_id: 'c' },
    product: { code: 'FREE', type: 'checking' as const },
    nickname,
  }));

describe('the number of chunks', () => {
  /** The chunks of an upload in their order. */
  async function sent(records: Source<ReturnType<typeof recordsOf>[number]>): Promise<BatchInput[]> {
    const inputs: BatchInput[] = [];
    const create = async (input: BatchInput) => {
      inputs.push(input);
      const { batch_id = '', chunk_index = 0, records } = input;
      const status = { type: 'account', status: 'accepted', duplicate: false } as const;
      return { batch_id: batch_id!, chunk_index: chunk_index!, records: records.length, ...status };
    };
    await upload(records, create, { batchId: 'b' });
    return inputs.sort((a, b) => a.chunk_index! - b.chunk_index!);
  }
  const counts = async (records: Parameters<typeof sent>[0]) =>
    (await sent(records)).map(({ chunk_count }) => chunk_count);

  test.each([
    [1, [1], [1]],
    [500, [1], [1]],
    [501, [2, 2], [undefined, 2]],
    [1500, [3, 3, 3], [undefined, undefined, 3]],
  ])('goes with every chunk of an array, and the last chunk of a stream: %i records', async (count, array, stream) => {
    expect(await counts(recordsOf(count))).toEqual(array);
    expect(await counts(recordsOf(count).values())).toEqual(stream);
  });

  test('counts chunks that are cut by their bytes', async () => {
    const large = Array.from({ length: 7 }, (_, n) => ({ ...recordsOf(1)[0]!, nickname: 'é'.repeat(700_000 + n) }));
    const expected = (await sent(large.values())).length;
    expect(expected).toBeGreaterThan(3);
    expect(await counts(large)).toEqual(Array(expected).fill(expected));
  });
});

describe('an upload to the service', () => {
  let client: OnboardingClient;
  beforeAll(async () => {
    const running = await service();
    const { clientId, clientSecret } = await running.newTeam();
    client = new OnboardingClient({ baseUrl: running.baseUrl, clientId, clientSecret });
  });
  const failureOf = async (call: Promise<unknown>) => (await call.catch((error: unknown) => error)) as UploadError;

  test('announces its chunks, so that the batch is processing until none is missing', async () => {
    const batchId = randomUUID();
    const [first, second] = [recordsOf(500), recordsOf(3)];
    const chunk = { type: 'account', batch_id: batchId, chunk_count: 2 } as const;
    await client.batches.create({ ...chunk, chunk_index: 1, records: second });
    const { status, chunks } = await client.batches.get(batchId);
    expect([status, chunks]).toMatchObject(['processing', { accepted: 1, expected: 2, missing: [0] }]);
    expect(await client.batches.upload([...first, ...second], { batchId })).toMatchObject({ chunks: 2, duplicates: 1 });
    const finished = await client.batches.finished(batchId);
    expect(finished.chunks).toEqual({ accepted: 2, completed: 2, failed: 0, expected: 2, missing: [] });
  });

  test('repeated with the same records is taken once, and with others fails and says so', async () => {
    const batchId = randomUUID();
    await client.batches.upload(recordsOf(501), { batchId });
    expect(await client.batches.upload(recordsOf(501), { batchId })).toMatchObject({ chunks: 2, duplicates: 2 });
    const error = await failureOf(client.batches.upload(recordsOf(501, 'other'), { batchId, atOnce: 1 }));
    expect(error).toBeInstanceOf(UploadError);
    expect([error.chunkIndex, error.firstRecord]).toEqual([0, 0]);
    expect(error.cause).toBeInstanceOf(DifferentRecordsError);
    expect(error.message).toContain('accepted before with other records');
  });

  test('of more chunks than the batch was announced with is a conflict', async () => {
    const batchId = randomUUID();
    await client.batches.upload(recordsOf(500), { batchId });
    const error = await failureOf(client.batches.upload(recordsOf(501), { batchId }));
    expect(error).toMatchObject({ name: 'UploadError', chunkIndex: 1 });
    expect(error.cause).toBeInstanceOf(ConflictError);
    expect(error.cause).toMatchObject({ name: 'ConflictError', status: 409, code: 'conflict' });
    expect(error.cause).toBeInstanceOf(ApiError);
  });
});

test('the batches of a team are listed page by page, the newest first', async () => {
  const running = await service();
  const { teamId, clientId, clientSecret } = await running.newTeam();
  const pages: string[] = [];
  const client = new OnboardingClient({
    baseUrl: running.baseUrl,
    clientId,
    clientSecret,
    fetch: (url, init) => {
      if (init.method === 'GET') pages.push(url);
      return fetch(url, init);
    },
  });
  const ids = Array.from({ length: 101 }, (_, n) => `batch-${n}`);
  for (const batch_id of ids) {
    const chunk = { batch_id, chunk_index: 0, chunk_count: 1, records: recordsOf(1) };
    await postBatch(serviceOn(running.database), teamId, chunk);
  }
  const listed: BatchSummary[] = [];
  for await (const batch of client.batches.list()) listed.push(batch);
  expect(listed.map(({ batch_id }) => batch_id).sort()).toEqual(ids.sort());
  const times = listed.map(({ inserted_at }) => inserted_at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(listed[0]).toMatchObject({ type: 'account', chunks: { accepted: 1, expected: 1, missing: [] } });
  expect(pages).toHaveLength(2);
});

describe('a service that takes no more chunks', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const full = () => new ApiError('full', { status: 429, code: 'too_many_requests', retryAfter: 1 });

  /** Rejects the first requests. */
  function refusing(times: number, error: () => Error = full) {
    let calls = 0;
    const send = async () => {
      calls += 1;
      if (calls <= times) throw error();
      return 'accepted';
    };
    return { send, calls: () => calls };
  }

  test('is asked again, less and less often, for minutes', async () => {
    const { send, calls } = refusing(20);
    const onWait = vi.fn();
    const call = onceThereIsRoom(send, { signals: [], onWait });
    await vi.runAllTimersAsync();
    expect([await call, calls(), onWait.mock.calls.length]).toEqual(['accepted', 21, 1]);
    expect(performance.now()).toBeGreaterThan(5 * 60_000);
  });

  test.each([
    [1, 1_000],
    [7, 7_000],
    [86_400, 30_000],
  ])('is asked again when the service says, after half a minute at most: %i s', async (retryAfter, expected) => {
    const { send } = refusing(1, () => new ApiError('full', { status: 429, code: 'too_many_requests', retryAfter }));
    const start = performance.now();
    const call = onceThereIsRoom(send, { signals: [] });
    await vi.runAllTimersAsync();
    expect([await call, performance.now() - start]).toEqual(['accepted', expected]);
  });

  test('for ten minutes is the end of it', async () => {
    const { send, calls } = refusing(Number.POSITIVE_INFINITY);
    const call = onceThereIsRoom(send, { signals: [] }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject({ status: 429 });
    expect(calls()).toBeLessThan(40);
  });

  test('is not asked again when the caller ends it, or for any other error', async () => {
    const controller = new AbortController();
    const { send, calls } = refusing(3);
    const call = onceThereIsRoom(send, { signals: [undefined, controller.signal] }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    controller.abort();
    expect([((await call) as Error).name, calls()]).toEqual(['AbortError', 1]);
    const other = refusing(1, () => new ApiError('bad', { status: 422, code: 'validation_failed' }));
    await expect(onceThereIsRoom(other.send, { signals: [] })).rejects.toMatchObject({ status: 422 });
  });
});
