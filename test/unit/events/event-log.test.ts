import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExpired, logHead, positionAt, readEvents } from '../../../lib/store/events/event-log.ts';
import { eventPackKey, eventPartition } from '../../../lib/store/table/keys.ts';
import { runs } from '../../support/long-form.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { append, event, logStart, numbered, numberOf, readAll, teamId } from '../../support/samples/events.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const time = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z');
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
/** A pack of one event for each of these minutes after noon. */
async function published(...minutes: number[]) {
  const database = new ModelDatabase();
  for (const [index, each] of minutes.entries()) await append(database, [event(index + 1)], noon + each * minute);
  return database;
}
const remove = (database: ModelDatabase, ...packs: number[]) => {
  for (const seq of packs) database.damage(eventPackKey(teamId, seq));
};

describe('appending', () => {
  test('keeps the events, their order and what they contain', async () => {
    const database = new ModelDatabase();
    const first = event(1, { type: 'batch.failed', batch_id: 'übung', chunk_index: 0 });
    await append(database, [first, event(2)]);
    await append(database, [event(3)]);
    expect((await readAll(database)).events).toEqual([first, event(2), event(3)]);
  });

  test('writes nothing for no events', async () => {
    const database = new ModelDatabase();
    await append(database, []);
    expect(database.items.size).toBe(0);
  });

  test('divides many events into packs of at most 32 KB, and these into transactions', async () => {
    const database = new ModelDatabase();
    await append(database, numbered(1, 16_000));
    const packs = [...database.items.values()].filter(({ sk }) => sk.startsWith('PACK#'));
    const sizes = packs.map(({ events }) => String(events).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32_000);
    expect(packs.length).toBeGreaterThan(100);
    expect((await readAll(database, logStart, 1000)).numbers).toEqual(upTo(16_000));
  });

  test('gives every pack the time at which it expires: 30 days after it was published', async () => {
    const database = await published(0);
    expect(database.read(eventPackKey(teamId, 1))).toMatchObject({
      published_at: '2026-03-01T12:00:00.000000Z',
      expires_at: Date.parse('2026-03-31T12:00:00Z') / 1000,
    });
  });

  test('never publishes before an earlier pack, if the clock of a writer is behind', async () => {
    const database = await published(2, 0, 1, 3);
    const packs = upTo(4).map((seq) => database.read(eventPackKey(teamId, seq))?.published_at);
    expect(packs).toEqual([2, 2, 2, 3].map((each) => time(noon + each * minute)));
  });

  test('fails if every race is lost', async () => {
    const database = new ModelDatabase();
    database.transact = async () => false;
    await expect(append(database, [event(1)])).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('reading', () => {
  test.each([1, 2, 7, 100, 1000])('%i events at a time returns each of them once, in order', async (limit) => {
    const database = new ModelDatabase();
    for (const [first, count] of [
      [1, 1],
      [2, 240],
      [242, 1],
      [243, 3],
    ] as const) {
      await append(database, numbered(first, count));
    }
    expect((await readAll(database, logStart, limit)).numbers).toEqual(upTo(245));
  });

  test('says whether there is more', async () => {
    const database = new ModelDatabase();
    await append(database, numbered(1, 3));
    await append(database, numbered(4, 1));
    const hasMore = async (limit: number) => (await readEvents(database, teamId, logStart, limit)).hasMore;
    expect(await Promise.all([1, 3, 4, 5].map(hasMore))).toEqual([true, true, false, false]);
  });

  test('continues with what was appended later', async () => {
    const database = new ModelDatabase();
    expect(await readAll(database)).toMatchObject({ numbers: [], next: logStart });
    await append(database, numbered(1, 2));
    const { next } = await readEvents(database, teamId, logStart, 1);
    const read = await readAll(database, next);
    expect(read.numbers).toEqual([2]);
    await append(database, [event(3)]);
    expect((await readAll(database, read.next)).numbers).toEqual([3]);
  });

  test('stops before a pack that is not visible yet, although a later one is', async () => {
    const database = await published(0, 0, 0);
    const late = database.read(eventPackKey(teamId, 2))!;
    remove(database, 2);
    const read = await readAll(database);
    expect(read.numbers).toEqual([1]);
    await database.write([{ kind: 'insert', item: late }]);
    expect((await readAll(database, read.next)).numbers).toEqual([2, 3]);
  });

  test('knows nothing of other teams', async () => {
    const database = await published(0);
    expect(await readEvents(database, 'other', logStart, 10)).toEqual({
      events: [],
      positions: [],
      next: logStart,
      hasMore: false,
    });
    expect(await logHead(database, 'other')).toEqual({ seq: 0, published_at: '', hasRules: false });
  });

  test('refuses an event of a type that this release does not know', async () => {
    const database = await published(0);
    const events = JSON.stringify([{ ...event(1), type: 'contact.sung' }]);
    database.damage(eventPackKey(teamId, 1), { events });
    await expect(readAll(database)).rejects.toMatchObject({ code: 'internal_error' });
  });
});

describe('expiry', () => {
  test.each<[name: string, seq: number, minutes: number, removed: number[], expected: boolean]>([
    ['a pack that is there', 2, day, [], false],
    ['the next pack, which is still to come', 4, day, [], false],
    ['a pack that does not exist although a later one is old', 1, 10, [1], true],
    ['a pack that is not visible yet', 2, 1, [2], false],
    ['the last pack, which is not visible yet', 3, 1, [3], false],
    ['a pack, when all have expired', 1, day, [1, 2, 3], true],
    ['a position beyond the head', 5, 1, [], true],
  ])('%s', async (_, seq, minutes, removed, expected) => {
    const database = await published(0, 0, 0);
    remove(database, ...removed);
    expect(await isExpired(database, teamId, { seq, index: 0 }, noon + minutes * minute)).toBe(expected);
  });
});

describe('the position at a time', () => {
  const times = [0, 1, 1, 1, 2, 5, 5, 9];
  test.each([
    [-1, 1],
    [0, 1],
    [1, 2],
    [2, 5],
    [3, 6],
    [5, 6],
    [6, 8],
    [9, 8],
    [10, 9],
  ])('%i minutes after noon is before pack %i', async (minutes, seq) => {
    const database = await published(...times);
    const found = await positionAt(database, teamId, time(noon + minutes * minute), noon + day);
    expect(found).toEqual({ seq, index: 0 });
  });

  test('is the start in a team without events', async () => {
    expect(await positionAt(new ModelDatabase(), teamId, time(noon), noon)).toEqual(logStart);
  });

  test('is after packs that have expired, in whatever order they were deleted', async () => {
    for (const removed of [[1], [1, 2], [2], [2, 3], [1, 3, 4], [3], [4]]) {
      const database = await published(...times);
      remove(database, ...removed);
      expect(await positionAt(database, teamId, time(noon + 2 * minute), noon + day)).toEqual({ seq: 5, index: 0 });
    }
  });

  test('is after the head if all have expired', async () => {
    const database = await published(0, 0);
    remove(database, 1, 2);
    expect(await positionAt(database, teamId, time(noon), noon + day)).toEqual({ seq: 3, index: 0 });
  });

  test('is before packs that are not visible yet', async () => {
    for (const removed of [[1, 2, 3], [3], [2, 3], [2]]) {
      const database = await published(0, 1, 1);
      remove(database, ...removed);
      const { seq } = await positionAt(database, teamId, time(noon + minute), noon + minute);
      expect(seq).toBeLessThanOrEqual(2);
    }
  });

  test('finds one of many packs with few reads', async () => {
    const database = await published(...upTo(1000));
    let reads = 0;
    const query = database.query.bind(database);
    database.query = (input) => {
      reads += 1;
      return query(input);
    };
    const found = await positionAt(database, teamId, time(noon + 700 * minute), noon + day);
    expect(found.seq).toBe(700);
    expect(reads).toBeLessThan(15);
  });
});

/** Parts of a transaction become visible one after another, in any order. */
class SlowlyVisible extends ModelDatabase {
  #hidden: (() => void)[] = [];
  readonly #pick: (count: number) => number;

  constructor(pick: (count: number) => number) {
    super();
    this.#pick = pick;
  }

  override async transact(...[writes]: Parameters<ModelDatabase['transact']>): Promise<boolean> {
    // The condition on an item fails while another transaction is writing it.
    if (this.#hidden.length > 0) this.show(1);
    if (this.#hidden.length > 0) return false;
    const parts = this.begin(writes);
    if (parts) this.#hidden = parts;
    this.show(this.#pick(writes.length + 1));
    return parts !== undefined;
  }

  show(count: number): void {
    for (let shown = 0; shown < count && this.#hidden.length > 0; shown++) {
      this.#hidden.splice(this.#pick(this.#hidden.length), 1)[0]!();
    }
  }
}

test('a reader misses nothing, whatever the clocks, the order of writers and the lost responses are', async () => {
  const step = fc.record({
    writer: fc.boolean(),
    clock: fc.integer({ min: -2000, max: 2000 }),
    count: fc.integer({ min: 1, max: 300 }),
    isLost: fc.boolean(),
    limit: fc.integer({ min: 1, max: 400 }),
    random: fc.infiniteStream(fc.nat()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const randoms = steps[0]!.random;
      const database = new SlowlyVisible((count) => randoms.next().value! % count);
      let [appended, next, now] = [0, logStart, noon];
      const read: number[] = [];
      for (const { writer, clock, count, isLost, limit } of steps) {
        now += 500;
        if (writer) {
          const events = numbered(appended + 1, count);
          await append(database, events, now + clock);
          // The publisher has died after the commit, or the response was lost: it appends the same events again.
          if (isLost) await append(database, events, now - clock);
          appended += count;
        } else {
          const page = await readEvents(database, teamId, next, limit);
          read.push(...page.events.map(numberOf));
          next = page.next;
        }
      }
      database.show(1000);
      read.push(...(await readAll(database, next)).numbers);
      const first = [...new Set(read)];
      expect(first).toEqual(upTo(appended));
      const { items } = database;
      const packs = [...items.values()].filter(({ pk, sk }) => pk === eventPartition(teamId) && sk !== 'HEAD');
      const publishedAt = packs.toSorted((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ published_at }) => published_at);
      expect(publishedAt).toEqual(publishedAt.toSorted());
    }),
    { numRuns: runs(200) },
  );
});
