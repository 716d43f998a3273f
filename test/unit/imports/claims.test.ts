import { describe, expect, test, vi } from 'vitest';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import {
  type Acceptance,
  acceptChunks,
  batchEntry,
  countRepeat,
  listBatchIds,
  loadBatch,
  loadChunk,
  loadClaimState,
  markCancelled,
} from '../../../lib/store/imports/claims.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { importStateKey, orderCounterKey } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { chunkOf } from '../../support/samples/samples.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const chunk = (index: number, changes: Partial<Chunk> = {}) => chunkOf(index, { team_id: team, ...changes });

const stateOf = (database: Database, index: number) =>
  loadClaimState(database, team, { claim: chunk(index), batchId: 'b' });

/** Accepts chunks of the batch as they are read now, or were read before. */
async function accept(database: Database, chunks: Chunk[], changes: Partial<Acceptance> = {}) {
  const current = changes.current ?? (await stateOf(database, chunks[0]!.index));
  return acceptChunks(database, team, { chunks, current, leftSeen: 0, ...changes });
}

describe('the state that decides about a chunk', () => {
  test('has the counter, the claim and the batch', async () => {
    const database = new ModelDatabase();
    await accept(database, [chunk(0), chunk(1)], { leftSeen: 7, count: { chunk_count: 3, now: time(1) } });
    const expected = { counter: { last_order: 2, left_seen: 7 }, isFirst: false, stateVersion: 0 };
    expect(await stateOf(database, 1)).toEqual({ ...expected, chunk: chunk(1), batch: { chunk_count: 3 } });
    const without = { ...expected, chunk: undefined, batch: undefined };
    const get = vi.spyOn(database, 'get');
    expect(await loadClaimState(database, team, {})).toEqual(without);
    expect(get.mock.calls).toEqual([[[orderCounterKey(team), importStateKey(team)]]]);
    expect(await loadClaimState(database, team, { claim: chunk(1) })).toEqual({ ...without, chunk: chunk(1) });
    expect(await loadClaimState(database, team, { batchId: 'b' })).toEqual({ ...without, batch: { chunk_count: 3 } });
  });
});

test('of two repeats at once, only one counts what both have read', async () => {
  const database = new ModelDatabase();
  await accept(database, [chunk(0)]);
  const read = (await loadChunk(database, team, chunk(0)))!;
  expect([await countRepeat(database, read), await countRepeat(database, read)]).toEqual([true, false]);
});

test('a repeat that is counted after the claim was read is not lost if the pair is accepted again', async () => {
  const database = new ModelDatabase();
  await accept(database, [chunk(0)]);
  const current = await stateOf(database, 0);
  await countRepeat(database, current.chunk!);
  expect(await accept(database, [chunk(0, { order: 2 })], { current })).toBe(false);
  expect(await accept(database, [chunk(0, { order: 2 })])).toBe(true);
});

describe('the acceptance of chunks', () => {
  test('fails if another request has taken the order number', async () => {
    const database = new ModelDatabase();
    const first = await stateOf(database, 0);
    expect(await accept(database, [chunk(0)], { current: first })).toBe(true);
    expect(await accept(database, [chunk(1)], { current: first })).toBe(false);
    const read = await stateOf(database, 1);
    const ahead = { ...read, counter: { ...read.counter, last_order: 0 } };
    expect(await accept(database, [chunk(1)], { current: ahead })).toBe(false);
    const second = await stateOf(database, 1);
    expect(await accept(database, [chunk(1)], { current: second })).toBe(true);
    expect(await accept(database, [chunk(2, { order: 2 })], { current: second })).toBe(false);
    expect((await loadBatch(database, team, 'b')).chunks).toHaveLength(2);
  });

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

  test('replaces all attributes of a discarded chunk with the same claim, as it was read', async () => {
    const database = new ModelDatabase();
    const counts = { applied: 1, unchanged: 2, superseded: 3, rejected: 4 };
    const rejections = [{ record: 1, message: 'wrong' }];
    const closed = { failure: 'x', attempts: 5, closed_at: time(2), counts, rejections };
    await accept(database, [chunk(0, { status: 'discarded', ...closed })]);
    const current = await stateOf(database, 0);
    expect(current.chunk).toEqual(chunk(0, { status: 'discarded', ...closed }));
    const again = chunk(0, { order: 2, payload_id: 'again', accepted_at: time(3) });
    expect(await accept(database, [again], { current })).toBe(true);
    expect(await loadChunk(database, team, chunk(0))).toEqual(again);
    const stale = { ...current, counter: { last_order: 2, left_seen: 0 } };
    expect(await accept(database, [{ ...again, order: 3 }], { current: stale })).toBe(false);
  });

  test.each([{ order: 9 }, { status: 'cancelled' }] as const)(
    'fails if the discarded chunk has changed (%o)',
    async (read) => {
      const database = new ModelDatabase();
      await accept(database, [chunk(0, { status: 'discarded' })]);
      const current = await stateOf(database, 0);
      const changed = { ...current, chunk: { ...current.chunk!, ...read } };
      expect(await accept(database, [chunk(0, { order: 2 })], { current: changed })).toBe(false);
    },
  );

  test('gives an existing batch its number of chunks once', async () => {
    const database = new ModelDatabase();
    await database.write([batchEntry(team, 'b', time(1))]);
    const current = await stateOf(database, 0);
    expect(current.batch).toEqual({});
    const count = { chunk_count: 2, now: time(2) };
    expect(await accept(database, [chunk(0)], { current, count })).toBe(true);
    expect((await loadBatch(database, team, 'b')).head).toEqual({ chunk_count: 2 });
    const next = { ...(await stateOf(database, 1)), batch: {} };
    expect(await accept(database, [chunk(1)], { current: next, count: { ...count, chunk_count: 3 } })).toBe(false);
    const missing = { ...next, batch: undefined };
    expect(await accept(database, [chunk(1)], { current: missing, count })).toBe(false);
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
