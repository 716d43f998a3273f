import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type AuditEntry,
  actBegun,
  actDone,
  auditEntrySchema,
  monthsBack,
  unknownClient,
} from '../../../lib/domain/access/audit.ts';
import { EntryLimit } from '../../../lib/domain/access/audit-limit.ts';
import { auditExpiry, auditRetentionOf } from '../../../lib/domain/teams/retention.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { recordEntry, recordedAct } from '../../../lib/operations/access/audit.ts';
import * as audit from '../../../lib/store/access/audit.ts';
import { bound, type Database, type QueryInput } from '../../../lib/store/table/database.ts';
import { auditKey, globalTeam } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';

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

const database = new ModelDatabase();

const time = Date.parse('2026-03-15T12:00:00.123Z');
const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  at: timestamp(time),
  who: 'operator',
  what: 'client create',
  team_id: null,
  ids: { client_id: 'a', batch_ids: ['b', 'c'] },
  outcome: 'done',
  ...more,
});
const append = (owner: string, written: AuditEntry, entryId: string = randomUUID()) =>
  audit.appendEntry(database, { owner, entry: written, entryId, now: time, retentionDays: 30 });

async function list(owners: string[], range: audit.AuditRange = {}, of: Database = database): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const each of audit.auditEntries(of, owners, range, timestamp(time + 86_400_000))) found.push(each);
  return found;
}

describe('an entry', () => {
  test('is read as it was written, and expires when the setting says', async () => {
    const [owner, id] = [randomUUID(), randomUUID()];
    expect(await append(owner, entry({ count: 3 }), id)).toBe(true);
    expect(await list([owner])).toEqual([entry({ count: 3 })]);
    const [item] = await database.get([auditKey(owner, entry().at, id)]);
    expect(item).toMatchObject({ expires_at: Math.floor(time / 1000) + 30 * 86_400 });
  });

  test('cannot be written over', async () => {
    const [owner, id] = [randomUUID(), randomUUID()];
    expect(await append(owner, entry(), id)).toBe(true);
    expect(await append(owner, entry({ outcome: 'internal_error' }), id)).toBe(false);
    expect(await list([owner])).toEqual([entry()]);
  });

  test('can be inserted and read, and nothing else', () => {
    expect(Object.keys(audit).sort()).toEqual(['appendEntry', 'auditEntries']);
  });

  test('has the time of the clock, in the log of its team or of no team', async () => {
    const team = randomUUID();
    const { at: _, ...rest } = entry();
    const at = (later: number) => ({ database, now: () => time + later, retentionDays: 1 });
    await recordEntry(at(0), { ...rest, team_id: team }, randomUUID());
    await recordEntry(at(1), rest, randomUUID());
    expect(await list([team])).toEqual([entry({ team_id: team })]);
    expect(await list([globalTeam])).toEqual([entry({ at: timestamp(time + 1) })]);
  });

  test('keeps its place among those of the same millisecond, in one log and in two', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const { at: _, ...rest } = entry();
    const dependencies = { database, now: () => time + 2, retentionDays: 1 };
    for (let n = 0; n < 20; n++) {
      const team_id = n % 3 === 0 ? one : other;
      await recordEntry(dependencies, { ...rest, team_id, outcome: `${n}` }, randomUUID());
    }
    const outcomes = (await list([one, other])).map(({ outcome }) => Number(outcome));
    expect(outcomes).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n));
  });
});

test.each([
  [1, 0, 'away'],
  [2, 1, 'refused'],
])('an act whose entry %i cannot be written is run %i times, and fails as %s', async (fails, runs, error) => {
  const database = new ModelDatabase();
  let [writes, ran] = [0, 0];
  const write: Database['write'] = async (entries) => {
    if (++writes === fails) throw new Error('away');
    return database.write(entries);
  };
  const service = { ...serviceOn({ ...bound(database), write }), retentionDays: 1 };
  const act = recordedAct(
    service,
    { who: 'client', what: 'webhook create', team_id: randomUUID(), ids: {} },
    async () => {
      ran += 1;
      throw new Error('refused');
    },
  );
  await expect(act).rejects.toThrow(error);
  expect(ran).toBe(runs);
});

describe('the list', () => {
  const day = 86_400_000;
  const at = (days: number) => timestamp(time - days * day);
  const [first, second] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    for (let days = 0; days < 40; days++) await append(days % 3 === 0 ? first : second, entry({ at: at(days) }));
  });
  const days = (entries: readonly AuditEntry[]) => entries.map((each) => (time - Date.parse(each.at)) / day);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

  test('is the newest first, across months and teams', async () => {
    expect(days(await list([first, second]))).toEqual(range(0, 40));
    expect(days(await list([second, randomUUID(), first]))).toEqual(range(0, 40));
    expect(days(await list([first]))).toEqual(range(0, 40).filter((each) => each % 3 === 0));
  });

  test('takes the beginning in and leaves the end out', async () => {
    expect(days(await list([first, second], { since: at(20) }))).toEqual(range(0, 21));
    expect(days(await list([first, second], { until: at(20) }))).toEqual(range(21, 40));
    expect(days(await list([first, second], { since: at(20), until: at(10) }))).toEqual(range(11, 21));
    expect(await list([first, second], { since: at(10), until: at(20) })).toEqual([]);
  });

  test('is read page by page, and no further than it is needed', async () => {
    const queries: QueryInput[] = [];
    const paging: Database = Object.assign(Object.create(database), {
      query: (input: QueryInput) => {
        queries.push(input);
        return database.query({ ...input, limit: 2 });
      },
    });
    expect(days(await list([first, second], {}, paging))).toEqual(range(0, 40));
    expect(queries.length).toBeGreaterThan(20);
    queries.length = 0;
    const entries = audit.auditEntries(paging, [first, second], {}, at(0));
    for (let n = 0; n < 3; n++) await entries.next();
    expect(queries.length).toBeLessThanOrEqual(4);
  });
});
