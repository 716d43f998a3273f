import { beforeEach, describe, expect, test } from 'vitest';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { appendEvents } from '../../../lib/operations/events/append-events.ts';
import { listEvents } from '../../../lib/operations/events/list-events.ts';
import { eventPackKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { event, numbered, numberOf, publisher } from '../../support/samples/events.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 3600_000;
const time = (milliseconds: number) => new Date(milliseconds).toISOString();

let database: ModelDatabase;
let team: string;
let other: string;
let now: number;
let eventEpoch: string;
beforeEach(async () => {
  [now, eventEpoch] = [noon, ''];
  database = new ModelDatabase();
  [team, other] = [await newTeam(database), await newTeam(database)];
});

const append = (events: readonly ServiceEvent[], teamId = team) =>
  appendEvents(
    publisher(database, () => now),
    teamId,
    events,
  );
type Sent = Parameters<typeof listEvents>[2];
const list = (sent: Sent = {}, teamId = team) =>
  listEvents(serviceOn(database, { now: () => now, eventEpoch }), teamId, sent);
const numbersOf = ({ events }: { events: ServiceEvent[] }) => events.map(numberOf);
const invalid = (path: string) => ({ code: 'invalid_request', details: [{ path, message: expect.any(String) }] });

describe('a reader that keeps its cursor', () => {
  test('sees every event once, also those that come later', async () => {
    const read: number[] = [];
    let cursor: string | undefined;
    let appended = 0;
    for (const [count, limit] of [
      [0, 5],
      [3, 2],
      [0, 5],
      [250, 100],
      [1, 1000],
      [0, 10],
    ] as const) {
      await append(numbered(appended + 1, count));
      appended += count;
      const page = await list({ limit, cursor });
      read.push(...numbersOf(page));
      expect(page.has_more).toBe(read.length < appended);
      cursor = page.next_cursor;
    }
    expect(read).toEqual(numbered(1, 254).map(numberOf));
  });

  test('reads what has expired no more: 410', async () => {
    await append(numbered(1, 2));
    const { next_cursor: early } = await list({ limit: 1 });
    now += 29 * day;
    await append([event(3)]);
    const { next_cursor: late } = await list({ limit: 1, cursor: early });
    now += 1.5 * day;
    await expect(list({ cursor: early })).rejects.toMatchObject({ code: 'gone' });
    expect(numbersOf(await list({ cursor: late }))).toEqual([3]);
    expect(numbersOf(await list())).toEqual([3]);
  });

  test('is told that it has missed events that expired while it held a newer cursor', async () => {
    await append([event(1)]);
    await append([event(2)]);
    const { next_cursor } = await list({ limit: 1 });
    now += day;
    const { next_cursor: newer } = await list({ limit: 1, cursor: next_cursor });
    database.damage(eventPackKey(team, 2));
    await expect(list({ cursor: next_cursor })).rejects.toMatchObject({ code: 'gone' });
    await append([event(3)]);
    expect(numbersOf(await list({ cursor: newer }))).toEqual([3]);
  });
});

describe('since', () => {
  test('starts with what was published then', async () => {
    for (const number of [1, 2, 3]) {
      await append([event(number, { at: '2020-01-01T00:00:00.000000Z' })]);
      now += 1000;
    }
    const { next_cursor, ...page } = await list({ since: time(noon + 1000).replace('Z', '000Z'), limit: 1 });
    expect(numbersOf(page)).toEqual([2]);
    expect(numbersOf(await list({ cursor: next_cursor }))).toEqual([3]);
    // A cursor beside it wins.
    expect(numbersOf(await list({ cursor: next_cursor, since: time(noon).replace('Z', '000Z') }))).toEqual([3]);
  });

  test('before everything that is kept starts there', async () => {
    await append([event(1)]);
    now += 31 * day;
    await append([event(2)]);
    expect(numbersOf(await list({ since: '2020-01-01T00:00:00.000000Z' }))).toEqual([2]);
  });
});

describe('type', () => {
  const viewed = (number: number) => event(number, { type: 'journey.page_viewed' });
  const completed = (number: number) => event(number, { type: 'journey.completed' });

  test.each<[string, number[]]>([
    ['contact.created', [1, 4]],
    ['journey.page_viewed', [2]],
    ['journey.*', [2, 3]],
    ['contact.created,journey.completed', [1, 3, 4]],
    ['batch.*', []],
  ])('%s', async (type, numbers) => {
    await append([event(1), viewed(2), completed(3), event(4)]);
    expect(numbersOf(await list({ type }))).toEqual(numbers);
  });

  test('belongs to the cursor, which passes over other types', async () => {
    await append([event(1), viewed(2), event(3), viewed(4), ...numbered(5, 30)]);
    const first = await list({ type: 'journey.*', limit: 1 });
    expect([numbersOf(first), first.has_more]).toEqual([[2], true]);
    const second = await list({ type: 'journey.*', cursor: first.next_cursor });
    expect([numbersOf(second), second.has_more]).toEqual([[4], false]);
    await append([viewed(40)]);
    expect(numbersOf(await list({ type: 'journey.*', cursor: second.next_cursor }))).toEqual([40]);
    await expect(list({ type: 'contact.*', cursor: first.next_cursor })).rejects.toMatchObject(invalid('type'));
    const { next_cursor: ofAll } = await list();
    await expect(list({ type: 'journey.*', cursor: ofAll })).rejects.toMatchObject(invalid('type'));
  });

  test('that is left out beside its cursor reads on over all types, now and later', async () => {
    await append([event(1), viewed(2), event(3), viewed(4), event(5)]);
    const first = await list({ type: 'journey.*', limit: 1 });
    const second = await list({ cursor: first.next_cursor, limit: 1 });
    expect([numbersOf(first), numbersOf(second)]).toEqual([[2], [3]]);
    expect(numbersOf(await list({ cursor: second.next_cursor }))).toEqual([4, 5]);
    await expect(list({ type: 'journey.*', cursor: second.next_cursor })).rejects.toMatchObject(invalid('type'));
  });

  test('that is rare costs no more than a few pages a request', async () => {
    await append(numbered(1, 25_000));
    await append([viewed(30_000)]);
    const [found, pages]: [number[], number[]] = [[], []];
    let page = await list({ type: 'journey.*', limit: 1000 });
    for (;;) {
      found.push(...numbersOf(page));
      pages.push(page.events.length);
      if (!page.has_more) break;
      page = await list({ type: 'journey.*', cursor: page.next_cursor, limit: 1000 });
    }
    expect(found).toEqual([30_000]);
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe('a cursor', () => {
  test('of another team, or that nobody gave, is refused', async () => {
    await append([event(1)]);
    const { next_cursor } = await list();
    for (const cursor of [next_cursor.slice(0, -1), `1.${'A'.repeat(80)}`, 'x']) {
      await expect(list({ cursor })).rejects.toMatchObject(invalid('cursor'));
    }
    await expect(list({ cursor: next_cursor }, other)).rejects.toMatchObject(invalid('cursor'));
  });

  test('from before a restore of the table is gone, also once as many events are published again', async () => {
    await append([event(1)]);
    const { next_cursor: before } = await list();
    eventEpoch = 'restored';
    await append(numbered(2, 3));
    await expect(list({ cursor: before })).rejects.toMatchObject({ code: 'gone' });
    const { next_cursor: after } = await list({ limit: 2 });
    expect(numbersOf(await list({ cursor: after }))).toEqual([3, 4]);
    eventEpoch = 'restored again';
    await expect(list({ cursor: after })).rejects.toMatchObject({ code: 'gone' });
  });

  test('from before a restore of the table, beyond its last event, is gone', async () => {
    await append(numbered(1, 1));
    await append(numbered(2, 1));
    const { next_cursor } = await list();
    for (const item of database.items.values()) {
      if (item.sk === 'HEAD') database.damage(item, { seq: 1 });
    }
    database.damage(eventPackKey(team, 2));
    await expect(list({ cursor: next_cursor })).rejects.toMatchObject({ code: 'gone' });
  });
});
