import { minuteOf, timestamp } from '../values/timestamp.ts';

/**
 * Work that is due at a time lies in the partition of its minute, until the mover puts it into its lane. An entry only wakes:
 * the worker that gets it decides on what is stored then. All times are in milliseconds since the epoch.
 */

const minute = 60_000;
/**
 * The mover reads a minute again until so long after it. So an entry may lie in the minute in which it is written, and none
 * is forgotten whose transaction was repeated, or whose writer has a clock that differs.
 */
export const readAgainFor = 10 * minute;
/** Minutes that one run of the mover reads for a team: after an outage of any length, a day of it in each run. */
const mostMinutes = 1500;

/** After this time, the names of minutes do not sort. Nobody waits for it. */
const endOfTime = Date.UTC(9999, 0);

/** When an entry for this time is due, ISO 8601: at once if the time has passed. `undefined` if it never is. */
export const dueAt = (at: number, now: number): string | undefined =>
  at < endOfTime ? timestamp(Math.max(at, now)) : undefined;

const startOf = (name: string): number => Date.parse(`${name}Z`);
const nameOf = (time: number): string => minuteOf(timestamp(time));

/**
 * The minutes that a run reads, oldest first.
 * @param cursor the minute before which nothing is left, but for what {@link readAgainFor} is about
 */
export function minutesToRead(cursor: string, now: number): string[] {
  const from = Math.min(startOf(cursor), now) - readAgainFor;
  const count = Math.max(0, Math.floor((now - startOf(nameOf(from))) / minute)) + 1;
  return Array.from({ length: Math.min(count, mostMinutes) }, (_, index) => nameOf(from + index * minute));
}

/**
 * Where the next run begins: at the first minute in which something is left, or after the last that was read.
 * @param left the first minute of which not everything that is due was moved
 */
export function cursorAfter(read: readonly string[], left: string | undefined, cursor: string): string {
  const next = left ?? read.at(-1) ?? cursor;
  // A clock that is behind moves nothing back.
  return next > cursor || left !== undefined ? next : cursor;
}
