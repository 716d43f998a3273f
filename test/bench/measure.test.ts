import { expect, test } from 'vitest';
import { median, percentile, rounded, secondsOf } from '../../bench/measure.ts';
import { textOf } from '../../bench/report.ts';

test.each([
  [[7], 0.5, 7],
  [[3, 1, 2], 0.5, 2],
  [[4, 1, 3, 2], 0.5, 2],
  [[1, 2, 3, 4], 0, 1],
  [[1, 2, 3, 4], 1, 4],
  [Array.from({ length: 200 }, (_, n) => n + 1), 0.99, 198],
])('of %j the share %d lies up to %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test('the median of rounds leaves an outlier out', () => {
  expect(median([10, 11, 500])).toBe(11);
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
  const load = { requests_a_second: 500, p50_ms: 2, p99_ms: 9 };
  const text = textOf({
    at: '2026-01-01T00:00:00.000Z',
    node: 'v24',
    machine: '2 × a CPU, 16 GB',
    service_memory_mb: { at_rest: 141, after_imports: 282 },
    import: {
      records_a_round: 5000,
      rounds: 3,
      new_records_a_second: 2000,
      unchanged_records_a_second: 5000,
      imported_items_a_second: 4000,
      put_items_a_second: 2500,
      batched_items_a_second: 4800,
      read_items_a_second: 9000,
      ratio_to_puts: 1.6,
      ratio_to_batches: 0.83,
      ratio_to_reads: 0.66,
    },
    requests: {
      upsert: load,
      read: load,
      bare_post: load,
      bare_get: load,
      upsert_to_bare: 0.2,
      read_to_bare: 0.3,
      upsert_at_16: load,
      put_at_16: 1000,
      upsert_to_put: 0.5,
      upsert_to_put_rounds: [0.48, 0.5, 0.53],
    },
    lookups: [
      {
        contacts: 100_000,
        indexed_cost: { cold: { requests: 3, read_units: 4 }, warm: { requests: 2, read_units: 1.5 } },
        indexed_p50_ms: 3.21,
        indexed_p99_ms: 9.8,
        unindexed_p50_ms: 765,
      },
    ],
    functions: [
      {
        id: 'list-contacts',
        services: ['dynamodb'],
        kilobytes: 450,
        gzip_kilobytes: 140,
        load_cpu_ms: 60,
        load_ms: 80,
        to_sdk: 1.3,
        to_sdk_wall: 1.4,
        to_empty: 29,
      },
    ],
    waits: [
      { importing: false, part: 'table', p50_ms: 0.5, p999_ms: 12 },
      { importing: true, part: 'table', p50_ms: 43, p999_ms: 240 },
    ],
  });
  for (const part of [
    '1.6 items',
    '0.2 of bare',
    '0.3 of bare',
    '0.5 of bare puts (rounds: 0.48, 0.5, 0.53)',
    '2 × a CPU, 16 GB, Node v24',
    '141 MB at rest, 282 MB after',
    'list-contacts',
    '| 1.30 | 1.40 | 29.00 |',
    '2 requests, 1.5 read units',
    '| 450 | 140 | 60 | 80 |',
    '| table | 0.5 | 12 | 43 | 240 |',
    'p50 3.21 ms',
    'p50 765 ms',
  ])
    expect(text).toContain(part);
});
