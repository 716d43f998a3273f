import { describe, expect, test } from 'vitest';
import { type Chunk, type ImportState, newImportState } from '../../../lib/domain/imports/chunk.ts';
import { acceptChunks, loadChunk } from '../../../lib/store/imports/claims.ts';
import {
  commitTransitions,
  loadFailed,
  loadImportState,
  loadWork,
  saveState,
} from '../../../lib/store/imports/import-work.ts';
import type { Write } from '../../../lib/store/table/database.ts';
import { chunkKey, chunkListKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { beforeFirstChunk } from '../../support/samples/dropped-files.ts';
import { chunkOf } from '../../support/samples/samples.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = '2026-03-01T01:00:00.000000Z';
const chunk = (index: number) => chunkOf(index, { team_id: team });
const whole: ImportState = {
  begun: 5,
  attempt: { order: 5, count: 2 },
  left: 4,
  failed: 1,
  renames: 3,
  guarded_until: time,
  cancelled_to: 4,
  active_at: time,
  version: 0,
};

/** A database with so many open chunks. */
async function withOpen(count: number) {
  const database = new ModelDatabase();
  const chunks = Array.from({ length: count }, (_, index) => chunk(index));
  await acceptChunks(database, team, { chunks, current: beforeFirstChunk, leftSeen: 0 });
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
  test('is written only as it was read', async () => {
    const { database, state } = await withOpen(1);
    await saveState(database, team, newImportState, whole);
    expect(await saveState(database, team, newImportState, { ...newImportState, begun: 9 })).toBeUndefined();
    const before = await state();
    await saveState(database, team, before, { ...before, begun: 6 });
    expect(await saveState(database, team, before, { ...before, begun: 7 })).toBeUndefined();
    expect((await state()).begun).toBe(6);
  });
});

describe('a transition of a chunk', () => {
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
