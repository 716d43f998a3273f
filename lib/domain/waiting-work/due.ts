import { timestamp } from '../values/timestamp.ts';

/** After this time, ISO 8601 does not sort. Nobody waits for it. */
const endOfTime = Date.UTC(9999, 0);

/** When an entry for this time is due, ISO 8601: at once if the time has passed. `undefined` if it never is. */
export const dueAt = (at: number, now: number): string | undefined =>
  at < endOfTime ? timestamp(Math.max(at, now)) : undefined;
