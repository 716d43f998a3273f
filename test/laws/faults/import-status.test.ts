import { beforeEach, describe, expect, test } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { cureChunk, poisonChunk } from '../../../bin/admin/operations/imports/drill.ts';
import { listBatches, readBatch } from '../../../lib/operations/imports/status.ts';
import { loadBatch, loadChunk } from '../../../lib/store/imports/claims.ts';
import { bound } from '../../../lib/store/table/database.ts';
import { chunkKey } from '../../../lib/store/table/keys.ts';
import { failNextChunk, postBatch } from '../../support/operations/import-operations.ts';
import { ImportWorld, record } from './import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});
const status = (batchId: string, chunk?: number) => readBatch(world, world.teamId, batchId, chunk);
const list = (sent: Parameters<typeof listBatches>[2] = {}) => listBatches(world, world.teamId, sent);
const notFound = { code: 'not_found' };

describe('the status', () => {
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
  });

  test('is refused while its link exists', async () => {
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
