import { describe, expect, test } from 'vitest';
import { actBegun, actDone, auditEntrySchema, monthsBack, unknownClient } from '../../../lib/domain/access/audit.ts';
import { EntryLimit } from '../../../lib/domain/access/audit-limit.ts';
import { auditExpiry, auditRetentionOf } from '../../../lib/domain/teams/retention.ts';

describe('the months of a list', () => {
  test.each([
    ['2026-03-15T00:00:00.000000Z', '2026-01-31T23:59:59.999999Z', ['2026-03', '2026-02', '2026-01']],
    ['2027-01-01T00:00:00.000000Z', '2026-12-31T00:00:00.000000Z', ['2027-01', '2026-12']],
    ['2026-03-31T00:00:00.000000Z', '2026-03-01T00:00:00.000000Z', ['2026-03']],
    ['2026-03-01T00:00:00.000000Z', '2026-04-01T00:00:00.000000Z', []],
    ['2026-02-01T00:00:00.000000Z', '1999-01-01T00:00:00.000000Z', ['2026-02', '2026-01']],
    ['2026-02-01T00:00:00.000000Z', undefined, ['2026-02', '2026-01']],
  ])('from %s back to %s', (until, since, months) => {
    expect(monthsBack(until, since)).toEqual(months);
  });
});

describe('how long entries are kept', () => {
  test.each([
    ['1', 1],
    ['3650', 3650],
    ['36500', 36_500],
    ['36501', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['ten', undefined],
    ['', undefined],
  ])('is a number of days: %j', (text, days) => {
    expect(auditRetentionOf(text)).toBe(days);
  });

  test('is counted from the time of the entry', () => {
    expect(auditExpiry(Date.parse('2026-03-01T12:00:00.999Z'), 30)).toBe(Date.parse('2026-03-31T12:00:00Z') / 1000);
  });
});

describe('the limit of entries', () => {
  const counts = (limit: EntryLimit, times: number[], perMinute: number, event = 'a') =>
    times.map((time) => limit.countFor(event, perMinute, time));

  test('lets so many be written a minute, and the next one carries the count of the rest', () => {
    const times = [0, 1, 2, 3, 59_999, 60_000, 60_001];
    expect(counts(new EntryLimit(), times, 2)).toEqual([1, 1, undefined, undefined, undefined, 4, 1]);
  });

  test('counts each kind of event for itself', () => {
    const limit = new EntryLimit();
    expect([limit.countFor('a', 1, 0), limit.countFor('b', 1, 0), limit.countFor('a', 1, 0)]).toEqual([
      1,
      1,
      undefined,
    ]);
  });

  test('begins a window with an event, not with the clock', () => {
    expect(counts(new EntryLimit(), [59_000, 61_000, 119_000], 1)).toEqual([1, undefined, 2]);
  });

  test('counts a thousand kinds of events at the same time, and forgets the one whose window is the oldest', () => {
    const limit = new EntryLimit();
    const counted = (event: number, time: number) => limit.countFor(`${event}`, 1, time);
    for (let event = 0; event < 1000; event++) counted(event, event === 0 ? 0 : 30_000);
    expect(counted(1, 30_001)).toBeUndefined();
    expect(counted(0, 60_000)).toBe(1);
    counted(1000, 60_000);
    expect([counted(0, 60_001), counted(1, 60_001)]).toEqual([undefined, 1]);
  });
});

test('an entry is read as it was stored', () => {
  expect([actBegun, actDone, unknownClient]).toEqual(['begun', 'done', 'unknown']);
  const ids = { client_id: 'c', batch_ids: ['a', 'b'] };
  const entry = {
    at: '2026-03-01T12:00:00.000000Z',
    who: 'w',
    what: 'team create',
    team_id: null,
    ids,
    outcome: 'done',
  };
  expect(auditEntrySchema.parse(entry)).toEqual(entry);
  expect(auditEntrySchema.parse({ ...entry, team_id: 't', count: 3 })).toEqual({ ...entry, team_id: 't', count: 3 });
  expect(auditEntrySchema.safeParse({ ...entry, ids: { number: 7 } }).success).toBe(false);
});
