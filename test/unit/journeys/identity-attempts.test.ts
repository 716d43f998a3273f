import { expect, test } from 'vitest';
import { attempted, lockOf, maxAttempts, noAttempts } from '../../../lib/domain/journeys/identity-attempts.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);

test('attempts are free until the fifth, then pause a quarter of an hour, a day, and for good', () => {
  const waits = [];
  let attempts = noAttempts;
  let now = start;
  for (let lock = lockOf(attempts, now); lock?.wait !== null; lock = lockOf(attempts, now)) {
    now += lock?.wait ?? 0;
    attempts = attempted(attempts, now);
    waits.push((lockOf(attempts, now)?.wait ?? 0) / minute);
  }
  expect(waits).toEqual([0, 0, 0, 0, 15, 0, 0, 24 * 60, 0, 0]);
  expect(lockOf(attempts, now + 1000 * 24 * 60 * minute)).toEqual({ wait: null });
  expect(attempts.count).toBe(maxAttempts);
});

test('a pause ends at its time, and not a moment earlier', () => {
  const paused = { count: 5, pausedUntil: start + 15 * minute };
  expect(lockOf(paused, start)).toEqual({ wait: 15 * minute });
  expect(lockOf(paused, start + 15 * minute - 1)).toEqual({ wait: 1 });
  expect(lockOf(paused, start + 15 * minute)).toBeUndefined();
  expect(lockOf(noAttempts, -1)).toBeUndefined();
  expect(attempted(noAttempts, start)).toEqual({ count: 1, pausedUntil: null });
});
