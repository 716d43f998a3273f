import { describe, expect, test } from 'vitest';
import { type Chunk, type ImportState, newImportState } from '../../lib/domain/chunk.ts';
import { acceptChunks, loadChunk } from '../../lib/store/claims.ts';
import { bound, type Database, type Write } from '../../lib/store/database.ts';
import {
  commitSkip,
  commitTransitions,
  loadChunkAndState,
  loadFailed,
  loadImportState,
  loadWork,
  saveState,
} from '../../lib/store/import-work.ts';
import { chunkKey, chunkListKey } from '../../lib/store/keys.ts';
import { ModelDatabase } from '../support/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = '2026-03-01T01:00:00.000000Z';
const chunk = (index: number): Chunk => ({
  ...{ team_id: team, batch_id: 'b', claim: chunkKey(team, 'b', index).sk, index, order: index + 1 },
  ...{ payload_id: `p${index}`, parts: 1, records: 10, accepted_at: time, status: 'open' },
});
const whole: ImportState = {
  begun: 5,
  attempt: { order: 5, count: 2 },
  left: 4,
  failed: 1,
  renames: 3,
  guarded_until: time,
  cancelled: { at: time, to: 4 },
  active_at: time,
  version: 0,
};

/** A database with so many open chunks. */
async function withOpen(count: number) {
  const database = new ModelDatabase();
  const chunks = Array.from({ length: count }, (_, index) => chunk(index));
  const current = {
    chunk: undefined,
    counter: { last_order: 0, left_seen: 0 },
    isFirst: true,
    stateVersion: 0,
    batch: undefined,
  };
  await acceptChunks(database, team, { chunks, current, leftSeen: 0 });
  const state = () => loadImportState(database, team);
  const stored = async (index: number) => (await loadChunk(database, team, chunk(index)))!;
  const orders = async (limit = 9) => (await loadWork(database, team, limit)).open.map(({ order }) => order);
  /** Commits the transition of a chunk, as it was read or is read now. */
  const change = async (index: number, of: Partial<Chunk>, read?: Chunk, extra: readonly Write[] = []) => {
    const before = await state();
    const transition = { chunk: read ?? (await stored(index)), change: of };
    return commitTransitions(database, [transition], before, { ...before, left: before.left + 1 }, extra);
  };
  return { database, state, stored, orders, change };
}

describe('the import state', () => {
  test('is new for a new team, and read as it was written', async () => {
    const { database, state } = await withOpen(1);
    expect(await state()).toEqual(newImportState);
    expect(await saveState(database, team, newImportState, whole)).toEqual({ ...whole, version: 1 });
    expect(await state()).toEqual({ ...whole, version: 1 });
  });

  test('loses what is removed from it', async () => {
    const { database, state } = await withOpen(1);
    await saveState(database, team, newImportState, whole);
    const before = await state();
    const { attempt, guarded_until, ...less } = { ...before, begun: 6 };
    expect(await saveState(database, team, before, less)).toEqual({ ...less, version: 2 });
    expect(await state()).toEqual({ ...less, version: 2 });
  });

  test('is written only as it was read', async () => {
    const { database, state } = await withOpen(1);
    await saveState(database, team, newImportState, whole);
    expect(await saveState(database, team, newImportState, { ...newImportState, begun: 9 })).toBeUndefined();
    const before = await state();
    await saveState(database, team, before, { ...before, begun: 6 });
    expect(await saveState(database, team, before, { ...before, begun: 7 })).toBeUndefined();
    expect((await state()).begun).toBe(6);
  });

  test('is saved if the write happened and its response was lost', async () => {
    const { database, state } = await withOpen(1);
    const write: Database['write'] = async (writes) => (await database.write(writes)).map(() => false);
    const after = { ...newImportState, begun: 1 };
    expect(await saveState({ ...bound(database), write }, team, newImportState, after)).toEqual({
      ...after,
      version: 1,
    });
    expect((await state()).begun).toBe(1);
  });
});

describe('the work of a team', () => {
  test('is its state and its first open chunks, in their order', async () => {
    const { database, orders } = await withOpen(12);
    const entryOf = (index: number) => ({ ...chunk(index), status: undefined });
    // The state counts as one of the items that are read.
    expect(await loadWork(database, team, 1)).toEqual({ state: newImportState, open: [entryOf(0), entryOf(1)] });
    await saveState(database, team, newImportState, whole);
    expect(await loadWork(database, team, 1)).toEqual({ state: { ...whole, version: 1 }, open: [entryOf(0)] });
    expect(await orders(11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
  test('is read with one of its chunks', async () => {
    const { database } = await withOpen(1);
    expect(await loadChunkAndState(database, chunk(0))).toEqual({ chunk: chunk(0), state: newImportState });
    expect((await loadChunkAndState(database, chunk(1))).chunk).toBeUndefined();
  });
});

describe('a transition of a chunk', () => {
  const counts = { applied: 1, unchanged: 2, superseded: 3, rejected: 4 };

  test('to completed takes it from the list', async () => {
    const { stored, state, orders, change } = await withOpen(2);
    expect(await change(0, { status: 'completed', counts })).toEqual({ ...newImportState, left: 1, version: 1 });
    expect(await stored(0)).toEqual({ ...chunk(0), status: 'completed', counts });
    expect(await orders()).toEqual([2]);
    expect(await state()).toMatchObject({ left: 1, version: 1 });
  });

  test('to failed puts it into the other list, from which it can come back', async () => {
    const { database, orders, change } = await withOpen(2);
    await change(0, { status: 'failed', failure: 'x', attempts: 5 });
    const failed = { ...chunk(0), status: 'failed', failure: 'x', attempts: 5 };
    expect(await loadFailed(database, team)).toEqual([failed]);
    expect(await orders()).toEqual([2]);
    await change(0, { status: 'open', failure: undefined, attempts: undefined });
    expect(await loadFailed(database, team)).toEqual([]);
    expect(await orders()).toEqual([1, 2]);
  });

  test('from failed to discarded leaves it in no list', async () => {
    const { database, stored, orders, change } = await withOpen(1);
    await change(0, { status: 'failed' });
    await change(0, { status: 'discarded', closed_at: time });
    expect([await loadFailed(database, team), await orders()]).toEqual([[], []]);
    expect(await stored(0)).toMatchObject({ status: 'discarded', closed_at: time });
  });

  test('to cancelled marks it in the list until it is skipped', async () => {
    const { database, stored, orders, change, state } = await withOpen(2);
    await change(0, { status: 'cancelled' });
    expect((await loadWork(database, team, 9)).open.map(({ cancelled }) => cancelled)).toEqual([true, undefined]);
    const [before, { open }] = [await state(), await loadWork(database, team, 9)];
    const stale = { ...before, version: 7 };
    expect(await commitSkip(database, team, open.slice(0, 1), stale, { ...before, begun: 1 })).toBe(false);
    expect(await orders()).toEqual([1, 2]);
    expect(await commitSkip(database, team, open.slice(0, 1), before, { ...before, begun: 1 })).toBe(true);
    expect(await orders()).toEqual([2]);
    expect([(await state()).begun, (await stored(0)).status]).toEqual([1, 'cancelled']);
  });

  test.each([{ status: 'failed' }, { order: 9 }] as const)(
    'is not committed if the chunk has changed (%o)',
    async (read) => {
      const { stored, state, change } = await withOpen(1);
      expect(await change(0, { status: 'completed' }, { ...chunk(0), ...read })).toBeUndefined();
      expect([await stored(0), await state()]).toEqual([chunk(0), newImportState]);
    },
  );

  test('to cancelled is not committed if the chunk has failed in between', async () => {
    const { stored, change } = await withOpen(1);
    expect(await change(0, { status: 'cancelled' }, { ...chunk(0), status: 'failed' })).toBeUndefined();
    expect(await stored(0)).toEqual(chunk(0));
  });

  test('is committed together with other writes', async () => {
    const { database, change } = await withOpen(1);
    const item = { pk: 'other', sk: 'item' };
    await change(0, { status: 'completed' }, undefined, [{ kind: 'insert', item }]);
    expect(database.read(item)).toEqual(item);
  });

  test('that a claim does not show yet is not in the list of failed chunks', async () => {
    const { database, change } = await withOpen(2);
    for (const index of [0, 1]) await change(index, { status: 'failed' });
    database.damage(chunkKey(team, 'b', 0), { status: 'open' });
    expect((await loadFailed(database, team)).map(({ order }) => order)).toEqual([2]);
    database.damage(chunkKey(team, 'b', 1));
    expect(await loadFailed(database, team)).toEqual([]);
    expect(database.read(chunkListKey(team, 'FAILED', 1))).toBeDefined();
  });
});
