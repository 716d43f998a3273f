import { expect, test } from 'vitest';
import { byTime, timestamp } from '../../../lib/domain/values/timestamp.ts';

test('timestamps have microseconds, and order as text', () => {
  const times = [timestamp(0), timestamp(0, 1), timestamp(0, 499), timestamp(1), timestamp(1_700_000_000_123, 7)];
  expect(times[0]).toBe('1970-01-01T00:00:00.000000Z');
  expect(times[4]).toBe('2023-11-14T22:13:20.123007Z');
  expect([...times].sort()).toEqual(times);
});

test('timestamps that were stored with three digits have their place among those with six', () => {
  const times = ['2026-01-01T00:00:00.122999Z', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.123001Z'];
  expect(times.toReversed().sort(byTime)).toEqual(times);
  expect(byTime('2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.123000Z')).toBe(0);
  expect(byTime('2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.122999Z')).toBe(1);
});
