import { expect, test } from 'vitest';
import { groupOf, isLate, secondsWaited } from '../../../lib/domain/waiting-work/lane.ts';

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
