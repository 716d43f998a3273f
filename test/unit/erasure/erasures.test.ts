import { expect, test } from 'vitest';
import { type ErasureState, erasureEnd, erasureWrite, loadErasure } from '../../../lib/store/erasure/erasures.ts';
import type { Write } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = '2026-03-01T01:00:00.000000Z';

test('the state of an erasure is kept as it is until the erasure ends, and only as it was read', async () => {
  const database = new ModelDatabase();
  const commit = (write: Write) => database.transact([write]);
  const load = () => loadErasure(database, team, 'a');
  const lists = { names: [{ unique_id: 'b', until: time }], files_deleted: ['a.csv'], files_unknown: [], counts: {} };
  const state: ErasureState = { contact_id: 'c', order: 7, begun_at: time, step: 'files', ...lists };
  expect(await commit(erasureWrite(team, 'a', state, 0))).toBe(true);
  expect(await commit(erasureWrite(team, 'a', state, 0))).toBe(false);
  expect(await load()).toEqual({ state, version: 1 });
  expect(await commit(erasureEnd(team, 'a', 0))).toBe(false);
  expect(await commit(erasureEnd(team, 'a', 1))).toBe(true);
  expect(await load()).toBeUndefined();
});
