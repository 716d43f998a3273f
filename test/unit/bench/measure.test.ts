import { expect, test } from 'vitest';
import { median, rounded, secondsOf } from '../../../bench/measure.ts';
import { textOf } from '../../../bench/report.ts';

test.each([
  [[7], 7],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2],
  [[10, 11, 500], 11],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('nothing measured is an error, not a zero', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('seconds are those of the work', async () => {
  const seconds = await secondsOf(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(seconds).toBeGreaterThan(0.045);
  expect(seconds).toBeLessThan(5);
});

test('numbers are given to three digits', () => {
  expect([rounded(12345), rounded(1.23456), rounded(0.98765)]).toEqual([12300, 1.23, 0.988]);
});

test('the report names every ratio and every function', () => {
  const text = textOf({
    at: '2026-01-01T00:00:00.000Z',
    node: 'v24',
    machine: '2 × a CPU, 16 GB',
    service_memory_mb: { at_rest: 141, after_imports: 282 },
    import: { rounds: 3, new: 2000, unchanged: 5000, new_to_batches: 0.83, unchanged_to_reads: 0.66 },
    requests: { upserts: 500, reads: 900, upserts_to_puts: [0.48, 0.5, 0.53], reads_to_gets: [0.7, 0.71, 0.72] },
    functions: [
      {
        id: 'list-contacts',
        services: ['dynamodb'],
        kilobytes: 450,
        load: { cpu: 60, wall: 80 },
        to_sdk: 1.3,
        first_request: { cpu: 31, wall: 32 },
      },
    ],
  });
  for (const part of [
    '2 × a CPU, 16 GB, Node v24',
    '141 MB at rest, 282 MB after',
    '2,000 a second, 0.83 of the same items, 25 conditional statements',
    '5,000 a second, 0.66 of the same items, bare BatchGetItem',
    '500 a second, 0.48, 0.5, 0.53 of conditional puts',
    '900 a second, 0.7, 0.71, 0.72 of bare reads',
    '| `list-contacts` | dynamodb | 450 | 60 | 80 | 1.30 | 31 | 32 |',
  ])
    expect(text).toContain(part);
});
