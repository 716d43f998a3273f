import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../lib/domain/access/audit.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { recordEntry } from '../../../lib/operations/access/audit.ts';
import * as audit from '../../../lib/store/access/audit.ts';
import type { Database, QueryInput } from '../../../lib/store/table/database.ts';
import { auditKey, globalTeam } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

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
