import { beforeEach, describe, expect, test } from 'vitest';
import { cancelBatch } from '../../bin/admin/operations/imports/cancel.ts';
import { cureChunk, poisonChunk } from '../../bin/admin/operations/imports/drill.ts';
import { listBatches, readBatch } from '../../lib/operations/imports/status.ts';
import { loadBatch, loadChunk } from '../../lib/store/claims.ts';
import { bound } from '../../lib/store/database.ts';
import { chunkKey } from '../../lib/store/keys.ts';
import { failNextChunk, postBatch } from '../support/import-operations.ts';
import { ImportWorld, record } from '../support/import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});
const status = (batchId: string, chunk?: number) => readBatch(world, world.teamId, batchId, chunk);
const list = (sent: Parameters<typeof listBatches>[2] = {}) => listBatches(world, world.teamId, sent);
const notFound = { code: 'not_found' };

describe('the status', () => {
  test('of a batch is that of its chunks, and of a chunk its own', async () => {
    await world.accept(0, [record('1')]);
    await world.accept(1, [record('2'), record('3')]);
    await world.work();
    await world.accept(2, [record('4')]);
    expect(await status('nightly')).toMatchObject({
      batch_id: 'nightly',
      status: 'processing',
      chunks: { accepted: 3, completed: 2, failed: 0 },
      records: { accepted: 4, applied: 3 },
    });
    expect(await status('nightly', 1)).toMatchObject({ status: 'completed', records: { accepted: 2, applied: 2 } });
    expect((await status('nightly', 1)).chunks).not.toHaveProperty('expected');
  });

  test('of a batch and of a chunk that do not exist is not found', async () => {
    await world.accept(0, [record('1')]);
    await expect(status('nightly', 1)).rejects.toMatchObject(notFound);
    await expect(status('other')).rejects.toMatchObject(notFound);
    await expect(status('other', 0)).rejects.toMatchObject(notFound);
  });

  test('of an id that is longer than any batch id is not found, without a read', async () => {
    const reads: unknown[] = [];
    const database = new Proxy(world.database, {
      get: (_, name) => {
        reads.push(name);
        return async () => ({ items: [] });
      },
    });
    await expect(readBatch({ database }, world.teamId, 'a'.repeat(257))).rejects.toMatchObject(notFound);
    expect(reads).toEqual([]);
    await expect(readBatch({ database }, world.teamId, 'a'.repeat(256))).rejects.toMatchObject(notFound);
    expect(reads).not.toEqual([]);
  });

  test('of a chunk names all its rejected records, of a batch the first hundred', async () => {
    const large = (n: number) => ({ ...record(`${n}`), metadata: { a: 'x'.repeat(9000) } });
    await world.accept(0, [record('1'), large(2)]);
    await world.work();
    expect((await status('nightly', 0)).errors).toEqual((await status('nightly')).errors);
  });

  test('of an expected number of chunks names those that are missing', async () => {
    const posted = { batch_id: 'counted', chunk_index: 1, chunk_count: 3, records: [record('1')] };
    await postBatch(world.dependencies(), world.teamId, posted);
    expect((await status('counted')).chunks).toMatchObject({ expected: 3, missing: [0, 2] });
  });
});

describe('the list of batches', () => {
  const accept = async (...batchIds: string[]) => {
    for (const batch_id of batchIds) {
      await postBatch(world.dependencies(), world.teamId, { batch_id, chunk_index: 0, records: [record('1')] });
    }
  };
  const idsOf = ({ batches }: Awaited<ReturnType<typeof list>>) => batches.map(({ batch_id }) => batch_id);

  test('is empty at first', async () => {
    expect(await list()).toStrictEqual({ batches: [], limit: 20, has_more: false });
  });

  test('has the newest first, without errors', async () => {
    await accept('a', 'b', 'c');
    const listed = await list();
    expect(idsOf(listed)).toEqual(['c', 'b', 'a']);
    expect(listed.batches[0]).not.toHaveProperty('errors');
  });

  test('leaves out a batch whose first acceptance failed, and fills the page with older ones', async () => {
    await accept('a');
    const database = { ...bound(world.database), transact: () => Promise.reject(new Error('away')) };
    const posted = { batch_id: 'b', chunk_index: 0, records: [record('1')] };
    await expect(postBatch(world.dependencies({ database }), world.teamId, posted)).rejects.toThrow('away');
    expect(idsOf(await list())).toEqual(['a']);
    await accept('c');
    const page = await list({ limit: 2 });
    expect([idsOf(page), page.has_more]).toEqual([['c', 'a'], false]);
  });
});

describe('a drill', () => {
  const poison = () => poisonChunk(world.dependencies(), world.teamId, 'drill');

  test('is a chunk that fails until it is cured', async () => {
    expect(await poison()).toBe(true);
    const chunk = await loadChunk(world.database, world.teamId, {
      batch_id: 'drill',
      claim: chunkKey(world.teamId, 'drill', 0).sk,
    });
    expect(chunk).toMatchObject({ index: 0, status: 'open', records: 1, digest: expect.any(String) });
    expect((await loadBatch(world.database, world.teamId, 'drill')).head).toEqual({ chunk_count: 1 });
    await expect(world.work()).rejects.toThrow();
    expect(await cureChunk(world.database, world.teamId)).toBe(true);
    expect(await world.work()).toMatchObject({ outcome: 'empty' });
    expect(await status('drill')).toMatchObject({ status: 'completed', records: { applied: 1 } });
    expect(await world.nicknames('drill-account')).toEqual([undefined]);
  });

  test('is refused while the account exists', async () => {
    await poison();
    expect(await poison()).toBe(false);
    expect((await loadBatch(world.database, world.teamId, 'drill')).chunks).toHaveLength(1);
  });

  test('that does not exist cannot be cured', async () => {
    expect(await cureChunk(world.database, world.teamId)).toBe(false);
  });
});

describe('a cancellation', () => {
  const cancel = (batchId = 'nightly') => cancelBatch(world.dependencies(), world.teamId, batchId);

  test('of more chunks than one transaction takes cancels them all', async () => {
    for (let index = 0; index < 45; index++) await world.accept(index, [record('1')]);
    expect(await cancel()).toEqual({ cancelled: 45, left: 0 });
    expect(await cancel()).toEqual({ cancelled: 0, left: 45 });
  });

  test('leaves what was begun', async () => {
    await world.accept(0, [record('1')]);
    await world.accept(1, [record('2')]);
    await failNextChunk(world.dependencies(), world.teamId);
    expect(await cancel()).toEqual({ cancelled: 1, left: 1 });
  });

  test('of no batch is not found', async () => {
    await expect(cancel('other')).rejects.toMatchObject(notFound);
  });

  test('marks only the batch of a dropped file', async () => {
    for (const batch_id of ['drop-1', 'nightly']) {
      const posted = { batch_id, chunk_index: 0, records: [record('1')] };
      await postBatch(world.dependencies(), world.teamId, posted);
      await cancel(batch_id);
    }
    expect((await loadBatch(world.database, world.teamId, 'drop-1')).head.cancelled_at).toEqual(expect.any(String));
    expect((await loadBatch(world.database, world.teamId, 'nightly')).head).toEqual({});
  });
});
