import { timestamp } from '../../domain/values/timestamp.ts';
import { completionLane, dueWork } from '../../store/events/completion-work.ts';
import { chunksOf, type Database } from '../../store/table/database.ts';
import { together } from '../../store/table/together.ts';
import { type DueEntry, dueEntries } from '../../store/waiting-work/due-work.ts';
import type { Standing } from '../waiting-work/sweep.ts';

/** Entries of one transaction: it has at most 100 writes. */
const entriesAtOnce = 50;
/** Transactions that are written at the same time. */
const parallel = 10;
/** Entries that one run moves. */
const most = 10_000;

/**
 * Moves what is due into the lane of the team: one read if nothing is. What one run leaves, for whatever reason, the next
 * one finds, because it is still the first that is due. Two movers may run at the same time.
 * @returns the lane, which is woken at once
 */
export async function moveDue(
  { database, now }: { database: Database; now(): number },
  teamId: string,
): Promise<Standing> {
  const time = now();
  const at = timestamp(time);
  let [read, moved, after]: [number, number, string | undefined] = [0, 0, undefined];
  do {
    const page = await dueEntries(database, teamId, { now: at, limit: most - read, after });
    await together(chunksOf(page.entries, entriesAtOnce), parallel, async (entries) => {
      // Otherwise another mover has moved some of them, or an erasure has deleted some.
      if (await moveEntries(database, teamId, at, entries)) moved += entries.length;
    });
    read += page.entries.length;
    after = page.next;
  } while (after !== undefined && read < most);
  return { lanes: moved > 0 ? [{ lane: completionLane(teamId), wakeAt: time }] : [] };
}

const moveEntries = (database: Database, teamId: string, at: string, entries: readonly DueEntry[]): Promise<boolean> =>
  database.transact([
    ...dueWork(teamId, at, entries),
    ...entries.map(({ pk, sk }) => ({ kind: 'delete' as const, key: { pk, sk }, expect: {} })),
  ]);
