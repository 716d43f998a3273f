import * as z from 'zod';
import { type ServiceEvent, serviceEvent } from '../../domain/events/event.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { chunksOf, type Database, readOne, type Write } from '../table/database.ts';
import { eventHeadKey, eventPackKey, eventPartition } from '../table/keys.ts';
import { itemReader, jsonText, storedTime } from '../table/stored-item.ts';

/**
 * The events of a team in one order: packs of events with consecutive numbers, and a head with the number of the last
 * pack. A pack is inserted together with the update of the head, on the condition that the head is as it was read. So
 * nothing ever appears before a position that a reader has passed, whatever the clocks of the writers say.
 */

/** The number of the last pack and when it was published. `seq` is 0 if there is none. */
export type LogHead = {
  seq: number;
  published_at: string;
  /** True from the moment at which a rule of the team went live first: its publisher reads the rules. */
  hasRules: boolean;
};
/** The next event to read: its pack, and its index in the pack. */
export type LogPosition = { seq: number; index: number };
export type LogPage = {
  events: ServiceEvent[];
  /** Where each of them is. */
  positions: LogPosition[];
  /** The position after the last of the events. */
  next: LogPosition;
  hasMore: boolean;
};

/** Characters of JSON: about a hundred events, so that a small page does not read much more than it needs. */
const maxPackSize = 32_000;
const packsPerTransaction = 50;

const headItem = itemReader(
  'head of the events',
  z.object({ seq: z.int().default(0), published_at: storedTime.optional(), rules_live: z.int().default(0) }),
);
const packItem = itemReader(
  'pack of events',
  z.object({ seq: z.int(), published_at: storedTime, events: jsonText(z.array(serviceEvent)) }),
);

export async function logHead(database: Database, teamId: string): Promise<LogHead> {
  const stored = await readOne(database, eventHeadKey(teamId), headItem);
  return {
    ...{ seq: stored?.seq ?? 0, published_at: stored?.published_at ?? '' },
    hasRules: stored !== undefined && stored.rules_live > 0,
  };
}

/** Written with each rule that goes live, in the same transaction. The item can have nothing else yet. */
export const rulesLiveWrite = (teamId: string): Write => ({
  ...{ kind: 'add', key: eventHeadKey(teamId), add: { rules_live: 1 } },
});

/** The events in groups for one transaction each. */
export const appendable = (events: readonly ServiceEvent[]): ServiceEvent[][][] =>
  chunksOf(packsOf(events), packsPerTransaction);

function packsOf(events: readonly ServiceEvent[]): ServiceEvent[][] {
  const packs: ServiceEvent[][] = [];
  let size = maxPackSize;
  for (const event of events) {
    const added = JSON.stringify(event).length + 1;
    if (size + added > maxPackSize) {
      packs.push([]);
      size = 0;
    }
    packs.at(-1)!.push(event);
    size += added;
  }
  return packs;
}

export type PackAppend = {
  teamId: string;
  head: LogHead;
  packs: readonly (readonly ServiceEvent[])[];
  /** Milliseconds since the epoch. */
  now: number;
  retentionDays: number;
};

/** @returns false if the head is not the last one any more. */
export function appendPacks(
  database: Database,
  { teamId, head, packs, now, retentionDays }: PackAppend,
): Promise<boolean> {
  const time = timestamp(now);
  // The clock of another writer may be ahead of this one.
  const published_at = time > head.published_at ? time : head.published_at;
  const expires_at = Math.ceil(Date.parse(published_at) / 1000) + retentionDays * 24 * 3600;
  const set = { seq: head.seq + packs.length, published_at };
  const key = eventHeadKey(teamId);
  return database.transact(
    [
      head.seq === 0 && !head.hasRules
        ? { kind: 'insert', item: { ...key, ...set } }
        : { kind: 'update', key, set, expect: { seq: head.seq || undefined } },
      ...packs.map((events, index) => {
        const seq = head.seq + 1 + index;
        const item = { ...eventPackKey(teamId, seq), seq, published_at, events: JSON.stringify(events), expires_at };
        return { kind: 'insert' as const, item };
      }),
    ],
    { losesConflicts: true },
  );
}

/** Events that one page looks at, if it does not want them all: about three megabytes. */
const mostRead = 10_000;

/**
 * At most so many events from this position on. The page ends before a pack that is not visible yet although a later one
 * is: it becomes visible in a moment.
 * @param isWanted others are passed over
 */
export async function readEvents(
  database: Database,
  teamId: string,
  position: LogPosition,
  limit: number,
  isWanted: (event: ServiceEvent) => boolean = () => true,
): Promise<LogPage> {
  const found: { event: ServiceEvent; at: LogPosition; next: LogPosition }[] = [];
  let [read, next] = [0, position];
  for await (const { seq, events, first } of packsFrom(database, teamId, position, limit)) {
    for (const [index, event] of events.entries()) {
      if (index < first) continue;
      next = index === events.length - 1 ? { seq: seq + 1, index: 0 } : { seq, index: index + 1 };
      read += 1;
      if (isWanted(event)) found.push({ event, at: { seq, index }, next });
    }
    if (found.length > limit || read >= mostRead) break;
  }
  const page = found.slice(0, limit);
  return {
    events: page.map(({ event }) => event),
    positions: page.map(({ at }) => at),
    next: found.length > limit ? page.at(-1)!.next : next,
    hasMore: found.length > limit || read >= mostRead,
  };
}

/** Packs can contain one event or a hundred, so the first query asks for few of them. */
const growth = 4;
const firstQuery = (limit: number) => Math.ceil(limit / 16);

async function* packsFrom(database: Database, teamId: string, { seq: from, index }: LogPosition, limit: number) {
  let expected = from;
  for (let count = firstQuery(limit); ; count *= growth) {
    const { items, next } = await database.query({
      pk: eventPartition(teamId),
      from: eventPackKey(teamId, expected).sk,
      limit: count,
    });
    for (const item of items) {
      const { seq, events } = packItem(item);
      if (seq !== expected) return;
      yield { seq, events, first: seq === from ? index : 0 };
      expected += 1;
    }
    if (next === undefined) return;
  }
}

/** Longer than a transaction takes until all of its items are visible. */
const visibilityMilliseconds = 60_000;

/**
 * True if the events at this position are no longer kept. Call it if there are none: a pack that does not exist although
 * a later one was published long ago has expired. A position beyond the head is from before a restore of the table.
 */
export async function isExpired(
  database: Database,
  teamId: string,
  { seq }: LogPosition,
  now: number,
): Promise<boolean> {
  const [head, first] = await Promise.all([logHead(database, teamId), firstPackFrom(database, teamId, seq)]);
  if (first?.seq === seq || head.seq === seq - 1) return false;
  return head.seq < seq || isVisible(first ?? head, now);
}

/** The first pack that was published at this time or later. It must not be before the time at which packs expire. */
export async function positionAt(database: Database, teamId: string, time: string, now: number): Promise<LogPosition> {
  const [head, oldest] = await Promise.all([logHead(database, teamId), firstPackFrom(database, teamId, 1)]);
  let [low, high] = [oldest?.seq ?? 1, head.seq + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const pack = await firstPackFrom(database, teamId, middle);
    if (pack && pack.published_at < time) low = pack.seq + 1;
    else high = middle;
  }
  const first = await firstPackFrom(database, teamId, low);
  if (first?.seq === low || low > head.seq || !isVisible(first ?? head, now)) return { seq: low, index: 0 };
  return { seq: first ? first.seq : head.seq + 1, index: 0 };
}

const isVisible = ({ published_at }: Pick<LogHead, 'published_at'>, now: number): boolean =>
  published_at < timestamp(now - visibilityMilliseconds);

/** When the events at this position, or the first ones after it, were published. */
export const publishedAt = async (database: Database, teamId: string, { seq }: LogPosition) =>
  (await firstPackFrom(database, teamId, seq))?.published_at;

async function firstPackFrom(
  database: Database,
  teamId: string,
  seq: number,
): Promise<Pick<LogHead, 'seq' | 'published_at'> | undefined> {
  const from = eventPackKey(teamId, seq).sk;
  const { items } = await database.query({ pk: eventPartition(teamId), from, limit: 1 });
  return items[0] && packItem(items[0]);
}
