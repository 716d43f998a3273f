import { expect, test } from 'vitest';
import {
  type ErasureState,
  erasureEnd,
  erasureWrite,
  loadErasure,
  loadErasures,
} from '../../../bin/admin/store/erasures.ts';
import type { Write } from '../../../lib/store/database.ts';
import { uniqueIdDigest } from '../../../lib/store/keys.ts';
import { ModelDatabase } from '../../support/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = '2026-03-01T01:00:00.000000Z';
const state: ErasureState = {
  contact_id: 'c',
  names: [{ unique_id: 'a' }, { unique_id: 'b', until: time }],
  order: 7,
  begun_at: time,
  step: 'payloads',
  erased_at: time,
  rest_at: time,
  after: 'position',
  counts: { links: 2 },
  files_deleted: ['a.csv'],
  files_unknown: [],
  first_erased_at: time,
};

test('the state of an erasure is kept as it is until the erasure ends, and only as it was read', async () => {
  const database = new ModelDatabase();
  const commit = (write: Write) => database.transact([write]);
  const load = () => loadErasure(database, team, 'a');
  expect(await load()).toBeUndefined();
  const lists = { names: [], files_deleted: [], files_unknown: [], counts: {} };
  const begun: ErasureState = { contact_id: 'c', order: 0, begun_at: time, step: 'files', ...lists };
  expect(await commit(erasureWrite(team, 'a', begun, 0))).toBe(true);
  expect(await load()).toEqual({ state: begun, version: 1 });
  expect(await commit(erasureWrite(team, 'a', state, 0))).toBe(false);
  expect(await commit(erasureWrite(team, 'a', state, 1))).toBe(true);
  expect(await load()).toEqual({ state, version: 2 });
  expect(await commit(erasureWrite(team, 'a', begun, 1))).toBe(false);
  const digests = ['b', 'a'].map((uniqueId) => uniqueIdDigest(team, uniqueId));
  expect(await loadErasures(database, team, digests)).toEqual([{ state, version: 2 }]);
  expect(await commit(erasureEnd(team, 'a', 1))).toBe(false);
  expect(await commit(erasureEnd(team, 'a', 2))).toBe(true);
  expect(await load()).toBeUndefined();
});
