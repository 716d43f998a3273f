import { describe, expect, test } from 'vitest';
import {
  type ExpectedFile,
  expectationOf,
  isHour,
  isMissing,
  judged,
  lastHour,
  nextHour,
  stateOfExpected,
  type Verdict,
} from '../../../lib/domain/drop-box/expected-file.ts';
import { expectedFileOf } from '../../support/samples/samples.ts';

const at = (text: string) => Date.parse(`${text}:00Z`);
const iso = (time: number) => new Date(time).toISOString().slice(0, 16);
const prague = { by: '05:00', time_zone: 'Europe/Prague' };

describe('the hour', () => {
  test.each([
    ['2026-03-02T03:59', '2026-03-01T04:00', '2026-03-02T04:00'],
    ['2026-03-02T04:00', '2026-03-02T04:00', '2026-03-03T04:00'],
    // The clocks go forward on 29 March and back on 25 October.
    ['2026-03-29T12:00', '2026-03-29T03:00', '2026-03-30T03:00'],
    ['2026-10-25T12:00', '2026-10-25T04:00', '2026-10-26T04:00'],
    ['2026-10-25T02:00', '2026-10-24T03:00', '2026-10-25T04:00'],
  ])('in Prague, at %s UTC, was last at %s and is next at %s', (now, last, next) => {
    expect([iso(lastHour(prague, at(now))), iso(nextHour(prague, at(now)))]).toEqual([last, next]);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-03-01T09:00', '2026-03-02T09:00'],
    ['Pacific/Pago_Pago', '2026-03-01T10:00', '2026-03-02T10:00'],
  ])('is right at the ends of the world: %s', (time_zone, last, next) => {
    const hour = { by: '23:00', time_zone };
    const now = at('2026-03-02T05:00');
    expect([iso(lastHour(hour, now)), iso(nextHour(hour, now))]).toEqual([last, next]);
  });

  test('that the clocks skip is an hour later', () => {
    const hour = { by: '02:30', time_zone: 'Europe/Prague' };
    expect(iso(lastHour(hour, at('2026-03-29T12:00')))).toBe('2026-03-29T01:30');
  });

  test('is checked', () => {
    expect(['05:00', '19:00', '23:59'].map(isHour)).toEqual([true, true, true]);
    for (const wrong of ['24:00', '5:00', '05:60', 'x', '105:00', '05:000']) expect(isHour(wrong)).toBe(false);
  });
});

const expected = (change: Partial<ExpectedFile> = {}) =>
  expectedFileOf({ inserted_at: '2026-03-01T10:00:00.000000Z', ...change });

describe('a file that is expected by 05:00', () => {
  const missing = (now: string, arrival: string | null) =>
    isMissing(expected({ last_arrival_at: arrival === null ? null : `${arrival}:00.000000Z` }), at(now));

  test.each<[string, string, string | null, boolean]>([
    ['is not missing before its first hour', '2026-03-02T04:59', null, false],
    ['is missing from its hour on', '2026-03-02T05:00', null, true],
    ['is missing until it arrives', '2026-03-03T04:00', null, true],
    ['is not missing when it came in the night', '2026-03-02T05:00', '2026-03-02T02:00', false],
    ['is not missing when it came in the evening before', '2026-03-02T05:00', '2026-03-01T17:00', false],
    ['is missing when only the file of the day before came', '2026-03-02T05:00', '2026-03-01T16:59', true],
    ['is no longer missing when it came late', '2026-03-02T08:01', '2026-03-02T08:00', false],
    ['is missing the next day if it only came late the day before', '2026-03-03T05:00', '2026-03-02T08:00', true],
  ])('%s', (_, now, arrival, expectedResult) => {
    expect(missing(now, arrival)).toBe(expectedResult);
  });

  test('is not missing for an hour before it was expected', () => {
    expect(isMissing(expected(), at('2026-03-01T12:00'))).toBe(false);
    const since = expected({ inserted_at: '2026-03-01T05:00:00.000000Z' });
    expect(isMissing(since, at('2026-03-01T12:00'))).toBe(true);
  });
});

test.each([
  ['2026-03-02T02:00', '05:00', '2026-03-02T05:00'],
  ['2026-03-02T08:00', '05:00', '2026-03-02T05:00'],
  ['2026-03-02T12:00', '17:00', '2026-03-02T17:00'],
  ['2026-03-02T23:30', '05:00', '2026-03-03T05:00'],
])('of files by 05:00 and 17:00, one that arrives at %s is the one by %s, for %s', (arrival, by, hour) => {
  const files = [expected(), expected({ by: '17:00' })];
  const found = expectationOf(files, `${arrival}:00.000000Z`);
  expect([found?.expected.by, iso(found!.hour)]).toEqual([by, hour]);
  expect(expectationOf([], `${arrival}:00.000000Z`)).toBeUndefined();
});

describe('the verdict of a file', () => {
  const hour = '2026-03-02T05:00:00.000000Z';
  const ended = (read: number, rejected = 0, change: object = {}) => ({
    ...{ file_id: 'f1', received_at: hour, status: 'completed' as const },
    rows: { read, rejected, accepted: read - rejected },
    ...change,
  });
  const deviations = (settings: Partial<ExpectedFile>, ...file: Parameters<typeof ended>) =>
    judged(expected(settings), hour, ended(...file)).deviations;

  test.each<[settings: Partial<ExpectedFile>, read: number, rejected: number, deviations: string[]]>([
    [{}, 0, 0, []],
    [{}, 10, 10, []],
    [{ max_rejected: 5 }, 100, 5, []],
    [{ max_rejected: 5 }, 100, 6, ['6% of the rows were rejected, more than 5%']],
    [{ max_rejected: 0 }, 3, 1, ['33.33% of the rows were rejected, more than 0%']],
    [{ max_rejected: 5 }, 0, 0, []],
    [{ min_rows: 10 }, 10, 0, []],
    [{ min_rows: 10 }, 9, 0, ['9 rows were read, fewer than 10']],
    [{ min_rows: 10 }, 0, 0, ['0 rows were read, fewer than 10']],
  ])('with %j, of %i rows with %i rejected, names %j', (settings, read, rejected, found) => {
    expect(deviations(settings, read, rejected)).toEqual(found);
  });

  test('counts the rows of all files that arrived for the hour, each once', () => {
    let verdict: Verdict | undefined;
    const end = (at: string, ...file: Parameters<typeof ended>) => {
      verdict = judged(expected({ min_rows: 10, verdict }), at, ended(...file));
      return verdict.deviations.length;
    };
    expect(end(hour, 9)).toBe(1);
    expect(end(hour, 9)).toBe(1);
    expect(end(hour, 1, 0, { file_id: 'f2' })).toBe(0);
    expect(end('2026-03-03T05:00:00.000000Z', 9, 0, { file_id: 'f3' })).toBe(1);
  });

  test.each([
    [undefined, 'ok'],
    [{ status: 'completed', deviations: [] }, 'ok'],
    [{ status: 'completed', deviations: ['x'] }, 'unexpected'],
    [{ status: 'failed', deviations: ['x'] }, 'failed'],
    [{ status: 'refused', deviations: [] }, 'failed'],
  ] as const)('%j makes the expected file %s, unless it is missing', (verdict, state) => {
    const file = expected({ verdict: verdict && { hour, rows: {}, ...verdict, deviations: [...verdict.deviations] } });
    expect(stateOfExpected(file, at('2026-03-02T04:00'))).toBe(state);
    expect(stateOfExpected(file, at('2026-03-02T05:00'))).toBe('missing');
  });
});
