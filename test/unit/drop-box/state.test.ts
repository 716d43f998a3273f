import { expect, test } from 'vitest';
import { Drop, LeaseLost } from '../../../lib/operations/drop-box/state.ts';
import { loadDrop } from '../../../lib/store/drop-box/drop-files.ts';
import { listExpectedFiles, saveExpectedFile } from '../../../lib/store/drop-box/expected-files.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const [teamId, received_at] = ['team', '2026-03-01T01:00:00.000000Z'];
const owner = { teamId, kind: 'accounts' } as const;
const file = { key: 'team/accounts/a.csv', version: '1', received_at };
const now = Date.parse('2026-03-01T02:00:00Z');
const open = (database: ModelDatabase, changes: object = {}) =>
  Drop.open(database, owner, { ...file, ...changes }, now);

test('a file begins with nothing read', async () => {
  const database = new ModelDatabase();
  const drop = await open(database);
  expect(drop.state).toEqual({
    key: file.key,
    version: '1',
    phase: 'reading',
    warnings: [],
    notices: [],
    rows: { read: 0, accepted: 0, rejected: 0, created: 0, existing: 0 },
    parts: 0,
    partBytes: 0,
    failedChunks: [],
    hasUnsentChunk: false,
    turns: 0,
    stalls: 0,
    givenUp: false,
    received_at,
    began_at: '2026-03-01T02:00:00.000000Z',
  });
  expect(await loadDrop(database, teamId, drop.fileId)).toEqual({ state: drop.state, version: 1 });
});

test('a file whose bucket did not say when it arrived has arrived when its reading began', async () => {
  const { state } = await open(new ModelDatabase(), { received_at: undefined });
  expect(state.received_at).toBe(state.began_at);
});

test('a file has arrived once its reading begins', async () => {
  const database = new ModelDatabase();
  const expected = { team_id: teamId, by: '05:00', time_zone: 'UTC', inserted_at: received_at, last_arrival_at: null };
  for (const type of ['accounts', 'contacts'] as const) await saveExpectedFile(database, { ...expected, type });
  await open(database);
  const arrivals = (await listExpectedFiles(database)).map(({ last_arrival_at }) => last_arrival_at);
  expect(arrivals).toEqual([received_at, null]);
});

test('another version of a file has its own state and batch', async () => {
  const database = new ModelDatabase();
  const [first, second] = [await open(database), await open(database, { version: '2' })];
  expect(first.batchId).toBe(`drop-${first.fileId}`);
  expect(second.fileId).not.toBe(first.fileId);
});

test('a saved state is the one that the next attempt opens', async () => {
  const database = new ModelDatabase();
  const drop = await open(database);
  for (const turns of [1, 2]) {
    drop.state.turns = turns;
    await drop.save();
  }
  expect((await open(database)).state).toEqual({ ...drop.state, turns: 2 });
});

test('the attempt that saves after another has lost its lease', async () => {
  const database = new ModelDatabase();
  const [early, late] = [await open(database), await open(database)];
  await late.save();
  await expect(early.save()).rejects.toBeInstanceOf(LeaseLost);
  await late.save();
});

test('of two attempts that begin at the same time, one has lost its lease', async () => {
  const database = new ModelDatabase();
  const results = await Promise.allSettled([open(database), open(database)]);
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(failed).toEqual([expect.any(LeaseLost)]);
  expect(failed[0].name).toBe('LeaseLost');
});
