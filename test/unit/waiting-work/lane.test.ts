import { expect, test } from 'vitest';
import { groupOf, isLate, secondsWaited, type WaitingLane } from '../../../lib/domain/waiting-work/lane.ts';
import { sweep } from '../../../lib/operations/waiting-work/sweep.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');

test('each lane has a message group of its own', () => {
  const team = { team_id: 'T' };
  const lanes = [
    { work: 'imports', ...team },
    { work: 'completions', ...team },
    { work: 'webhooks', ...team, id: 'W' },
  ] as const;
  expect(lanes.map(groupOf)).toEqual(['T#imports', 'T#completions', 'T#webhooks#W']);
});

test.each([
  [undefined, 0, false],
  [-1, 0, false],
  [59.999, 59, false],
  [60, 60, false],
  [1799.999, 1799, false],
  [1800, 1800, true],
])('work that was stored %s seconds ago has waited for %i seconds, and is late: %s', (ago, seconds, late) => {
  const lane = { since: ago === undefined ? undefined : noon - ago * 1000 };
  expect([secondsWaited(lane, noon), isLate(lane, noon)]).toEqual([seconds, late]);
});

test('a sweep adds up what each subject says of each team', async () => {
  const database = new ModelDatabase();
  for (const _ of ['first', 'second']) await newTeam(database);
  const late = (team_id: string): WaitingLane => {
    return { lane: { work: 'imports', team_id }, since: noon - 1_800_000, wakeAt: noon + 1 };
  };
  const standing = async (teamId: string) => ({ lanes: [late(teamId)], chunks_failed: 2, webhooks_failing: 3 });
  const failing = () => Promise.reject(new Error('away'));
  const service = { ...serviceOn(database, { now: () => noon }), queues: {} as never };
  const report = await sweep(service, { subjects: [standing, standing, failing] });
  const imports = { woken: 0, worked: 0, not_woken: 0, late: 4, oldest_seconds: 1800 };
  expect(report).toMatchObject({ imports, chunks_failed: 8, webhooks_failing: 12, not_swept: 2 });
});
