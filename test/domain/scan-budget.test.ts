import { expect, test } from 'vitest';
import { afterScan, secondsToNextMinute, usedAt } from '../../lib/domain/scan-budget.ts';

const minute = 60_000;

test('the units of a minute add up, and the next minute starts at zero', () => {
  const first = afterScan({ minute: 0, units: 0 }, 30, 7 * minute);
  const second = afterScan(first, 12, 8 * minute - 1);
  expect([first, second]).toEqual([
    { minute: 7, units: 30 },
    { minute: 7, units: 42 },
  ]);
  expect(afterScan(second, 5, 8 * minute)).toEqual({ minute: 8, units: 5 });
  expect([usedAt(second, 8 * minute - 1), usedAt(second, 8 * minute)]).toEqual([42, 0]);
});

test.each([
  [0, 60],
  [1, 60],
  [1000, 59],
  [minute - 1, 1],
  [minute, 60],
  [minute + 59_000, 1],
  [minute + 58_999, 2],
])('at %i the next minute begins in %i seconds', (now, seconds) => {
  expect(secondsToNextMinute(now)).toBe(seconds);
});
