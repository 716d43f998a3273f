import { describe, expect, test } from 'vitest';
import type { Chunk } from '../../lib/domain/chunk.ts';
import {
  type Acceptance,
  acceptChunks,
  batchEntry,
  listBatchIds,
  loadBatch,
  loadClaimState,
  markCancelled,
} from '../../lib/store/claims.ts';
import { bound, type Database } from '../../lib/store/database.ts';
import { chunkKey } from '../../lib/store/keys.ts';
import { freshTable } from '../support/engine.ts';
import { ModelDatabase } from '../support/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const chunk = (index: number, changes: Partial<Chunk> = {}): Chunk => ({
  team_id: team,
  batch_id: 'b',
  claim: chunkKey(team, 'b', index).sk,
  index,
  order: index + 1,
  payload_id: `p${index}`,
  parts: 1,
  records: 10,
  digest: 'd',
  accepted_at: time(1),
  status: 'open',
  ...changes,
});

const stateOf = (database: Database, index: number) =>
  loadClaimState(database, team, { claim: chunk(index), batchId: 'b' });

/** Accepts chunks of the batch as they are read now, or were read before. */
async function accept(database: Database, chunks: Chunk[], changes: Partial<Acceptance> = {}) {
  const current = changes.current ?? (await stateOf(database, chunks[0]!.index));
  return acceptChunks(database, team, { chunks, current, leftSeen: 0, ...changes });
}

describe('the acceptance of chunks', () => {
  test('is decided by a conflict with another request', async () => {
    const options: unknown[] = [];
    const model = new ModelDatabase();
    const transact: Database['transact'] = (writes, option) => {
      options.push(option);
      return model.transact(writes);
    };
    await accept({ ...bound(model), transact }, [chunk(0)]);
    expect(options).toEqual([{ losesConflicts: true }]);
  });
});

describe('a batch', () => {
  test('keeps what it has when it is cancelled, and is not made by that', async () => {
    const database = new ModelDatabase();
    await markCancelled(database, team, 'b', time(4));
    expect(database.items.size).toBe(0);
    await database.write([batchEntry(team, 'b', time(1), { chunk_count: 2 })]);
    await markCancelled(database, team, 'b', time(4));
    expect((await loadBatch(database, team, 'b')).head).toEqual({ chunk_count: 2, cancelled_at: time(4) });
  });
});

describe('the list of batches', () => {
  test('has a page of ids, newest first, and the start of the next page if there is one', async () => {
    const { database } = await freshTable();
    await database.write([1, 2, 3, 4].map((hour) => batchEntry(team, `b${hour}#`, time(hour))));
    const page = (limit: number, after?: string) => listBatchIds(database, team, limit, after);
    const first = await page(2);
    expect(first).toEqual({ ids: ['b4#', 'b3#'], next: `${time(3)}#b3#` });
    expect(await page(2, first.next)).toEqual({ ids: ['b2#', 'b1#'] });
    expect(await page(3, first.next)).toEqual({ ids: ['b2#', 'b1#'] });
    expect(await page(4)).toEqual({ ids: ['b4#', 'b3#', 'b2#', 'b1#'] });
    expect(await listBatchIds(database, 'other', 2)).toEqual({ ids: [] });
  });

  test('is read page by page until it has enough', async () => {
    const positions: unknown[] = [];
    const entries = [3, 2, 1].map((hour) => ({ pk: '', sk: '', directory_sk: `${time(hour)}#b${hour}` }));
    const query: Database['query'] = async ({ after, limit }) => {
      positions.push([after, limit]);
      const item = entries[positions.length - 1];
      return item ? { items: [item], next: item.directory_sk } : { items: [] };
    };
    expect((await listBatchIds({ ...bound(new ModelDatabase()), query }, team, 1)).ids).toEqual(['b3']);
    expect(positions).toEqual([
      [undefined, 2],
      [`${time(3)}#b3`, 2],
    ]);
  });
});
