import { minuteOf, timestamp } from '../../domain/values/timestamp.ts';
import { cursorAfter, minutesToRead } from '../../domain/waiting-work/due.ts';
import { completionLane, dueWork } from '../../store/events/completion-work.ts';
import { chunksOf, type Database } from '../../store/table/database.ts';
import { together } from '../../store/table/together.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import { type DueEntry, dueEntries, loadDueCursor, saveDueCursor } from '../../store/waiting-work/due-work.ts';
import type { Standing } from '../waiting-work/sweep.ts';

/** Minutes that are read at the same time. */
const parallel = 10;
/** Entries of one transaction: it has at most 100 writes. */
const entriesAtOnce = 50;
/** Entries of a minute, and those of all, that one run moves. */
const mostOfMinute = 5000;
const most = 10_000;

/**
 * Moves what is due into the lane of the team. What one run leaves, for whatever reason, the next one finds: the cursor
 * stays at the first minute in which something is left. Two movers may run at the same time.
 * @returns the lane, which is woken at once
 */
export async function moveDue(
  { database, now }: { database: Database; now(): number },
  teamId: string,
): Promise<Standing> {
  const time = now();
  const before = await loadDueCursor(database, teamId);
  const cursor = before ?? minuteOf((await loadTeam(database, teamId))?.inserted_at ?? timestamp(time));
  const minutes = minutesToRead(cursor, time);
  let [moved, left]: [number, string | undefined] = [0, undefined];
  await together(minutes, parallel, async (minute) => {
    const { count, isEmpty } = await moveMinute(database, teamId, minute, time, Math.min(mostOfMinute, most - moved));
    moved += count;
    if (!isEmpty && (left === undefined || minute < left)) left = minute;
  });
  const next = cursorAfter(minutes, left, cursor);
  if (next !== before) await saveDueCursor(database, teamId, next, before);
  return { lanes: moved > 0 ? [{ lane: completionLane(teamId), wakeAt: time }] : [] };
}

/** @returns how many were moved, and whether that was everything that is due in this minute */
async function moveMinute(database: Database, teamId: string, minute: string, now: number, limit: number) {
  let [count, isEmpty]: [number, boolean] = [0, true];
  let after: string | undefined;
  do {
    if (count >= limit) return { count, isEmpty: false };
    const page = await dueEntries(database, teamId, minute, { now: timestamp(now), limit: limit - count, after });
    for (const entries of chunksOf(page.entries, entriesAtOnce)) {
      // Another mover has moved some of them, or an erasure has deleted some.
      if (!(await moveEntries(database, teamId, timestamp(now), entries))) isEmpty = false;
      else count += entries.length;
    }
    after = page.next;
  } while (after !== undefined);
  return { count, isEmpty };
}

const moveEntries = (database: Database, teamId: string, at: string, entries: readonly DueEntry[]): Promise<boolean> =>
  database.transact([
    ...dueWork(teamId, at, entries),
    ...entries.map(({ pk, sk }) => ({ kind: 'delete' as const, key: { pk, sk }, expect: {} })),
  ]);
