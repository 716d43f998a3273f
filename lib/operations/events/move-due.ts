import { timestamp } from '../../domain/values/timestamp.ts';
import { completionLane, dueWork } from '../../store/events/completion-work.ts';
import { chunksOf, type Database } from '../../store/table/database.ts';
import { partsOfDueKey } from '../../store/table/keys.ts';
import { together } from '../../store/table/together.ts';
import { type DueEntry, type DueGroup, dueEntries } from '../../store/waiting-work/due-work.ts';
import type { Standing } from '../waiting-work/sweep.ts';

/** Entries of one transaction: it has at most 100 writes. */
const entriesAtOnce = 50;
/** Transactions that are written at the same time. */
const parallel = 10;
/** Entries of a page, from the newest on. */
const newest = 1000;
/** Entries that one run moves, at most. Half of them are the oldest. */
const most = 10_000;
/** At least so many journeys that are due at one time wait behind others in the lane. */
const many = 100;

/**
 * Moves what is due into the lane of the team: one read if nothing is. The newest pages are first, and each passes over the
 * rest of the time at which the page before it ends, so that what is due alone does not wait for messages to everybody.
 * What one run leaves, for whatever reason, a later one finds. Two movers may run at the same time.
 * @returns the lane, which is woken at once
 */
export async function moveDue(
  { database, now }: { database: Database; now(): number },
  teamId: string,
): Promise<Standing> {
  const time = now();
  const at = timestamp(time);
  let [read, moved] = [0, 0];
  const moveAll = async (entries: readonly DueEntry[]) => {
    await together(groupsOf(entries), parallel, async (group) => {
      // Otherwise another mover has moved some of them, or an erasure has deleted some.
      if (await moveGroup(database, teamId, at, group)) moved += group.entries.length;
    });
    read += entries.length;
  };
  let isLeft = false;
  for (let after: string | undefined; read < most / 2; ) {
    const { entries, next } = await dueEntries(database, teamId, { now: at, limit: newest, after, descending: true });
    await moveAll(entries);
    isLeft ||= next !== undefined;
    const last = entries.at(-1);
    if (next === undefined || last === undefined) break;
    after = partsOfDueKey(last).at;
  }
  for (let after: string | undefined; isLeft && read < most; ) {
    const { entries, next } = await dueEntries(database, teamId, { now: at, limit: most - read, after });
    await moveAll(entries);
    isLeft = next !== undefined;
    after = next;
  }
  return { lanes: moved > 0 ? [{ lane: completionLane(teamId), wakeAt: time }] : [] };
}

/** The entries of each transaction. Journeys that are due at one time with many others are apart from the rest. */
function groupsOf(entries: readonly DueEntry[]): DueGroup[] {
  const byTime = [...Map.groupBy(entries, (entry) => ('journey' in entry ? entry.journey.at : undefined)).values()];
  return [false, true].flatMap((isOfOneTime) => {
    const own = byTime.filter(({ length }) => length >= many === isOfOneTime).flat();
    return chunksOf(own, entriesAtOnce).map((chunk) => ({ entries: chunk, isOfOneTime }));
  });
}

const moveGroup = (database: Database, teamId: string, at: string, group: DueGroup): Promise<boolean> =>
  database.transact([
    ...dueWork(teamId, at, group),
    ...group.entries.map(({ pk, sk }) => ({ kind: 'delete' as const, key: { pk, sk }, expect: {} })),
  ]);
