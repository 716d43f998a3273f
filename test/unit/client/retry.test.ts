import { describe, expect, test } from 'vitest';
import { retryAfterOf } from '../../../client/errors.ts';
import { delayAfter } from '../../../client/retry.ts';

describe('how long to wait', () => {
  test.each([
    ['as the service asks', 1, 3, 3_000],
    ['as it asks, however often it was tried', 5, 2, 2_000],
    ['not at all where it says so', 3, 0, 0],
    ['a minute at most', 1, 86_400, 60_000],
  ])('%s', (_, attempt, retryAfter, expected) => {
    expect(delayAfter(attempt, retryAfter, 0.3)).toBe(expected);
  });

  test.each([
    [1, 125, 250],
    [2, 250, 500],
    [5, 2_000, 4_000],
    [30, 10_000, 20_000],
  ])('without being asked, longer each time and scattered: attempt %i', (attempt, least, most) => {
    expect(delayAfter(attempt, undefined, 0)).toBe(least);
    expect(delayAfter(attempt, undefined, 1)).toBe(most);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const later = 'Sun, 01 Mar 2026 12:00:30 GMT';
  test.each([
    ['seconds', { 'retry-after': '7' }, 7],
    ['a date', { 'retry-after': later }, 30],
    ['a date by the clock of the answer', { 'retry-after': later, date: 'Sun, 01 Mar 2026 12:00:20 GMT' }, 10],
    ['a date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    ['nothing', {}, undefined],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
  ])('is %s', (_, headers, expected) => {
    expect(retryAfterOf(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});
