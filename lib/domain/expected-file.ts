import type { DropKind } from './drop.ts';

/** A file that a team must drop every day by an hour. If it has not arrived by then, an alarm goes off. */
export type ExpectedFile = {
  team_id: string;
  type: DropKind;
  /** The hour of the day: `HH:MM`. */
  by: string;
  /** IANA name of the time zone of the hour. */
  time_zone: string;
  inserted_at: string;
  /** When a file of this type last arrived; `null` if none has arrived yet. */
  last_arrival_at: string | null;
};

export const isHour = (value: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);

/**
 * Milliseconds before its hour from which an arrival counts as the file of that day. An earlier arrival is a late file
 * of the day before.
 */
const arrivalWindow = 12 * 3_600_000;

/** True if the hour has passed and no file has arrived for it. The first hour that counts is after `inserted_at`. */
export function isMissing(expected: ExpectedFile, now: number): boolean {
  const hour = lastHour(expected, now);
  if (hour < Date.parse(expected.inserted_at)) return false;
  const { last_arrival_at } = expected;
  return last_arrival_at === null || Date.parse(last_arrival_at) < hour - arrivalWindow;
}

type Hour = Pick<ExpectedFile, 'by' | 'time_zone'>;

/** The last time before `now` at which a file was expected, in milliseconds since the epoch. */
export const lastHour = (hour: Hour, now: number): number => around(hour, now).findLast((each) => each <= now)!;

/** The next time after `now` at which a file is expected. */
export const nextHour = (hour: Hour, now: number): number => around(hour, now).find((each) => each > now)!;

/** The hour on the days from two before to two after today. Two, because no time zone is more than a day away. */
function around({ by, time_zone }: Hour, now: number): number[] {
  const [hours, minutes] = by.split(':').map(Number) as [number, number];
  const { year, month, day } = localTime(now, time_zone);
  return [-2, -1, 0, 1, 2].map((days) => {
    const wanted = Date.UTC(year, month - 1, day + days, hours, minutes);
    // The offset at that time, not at the time in UTC: they differ near a change of the clocks.
    return wanted - offsetAt(wanted - offsetAt(wanted, time_zone), time_zone);
  });
}

/** Milliseconds that local time is ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(time, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

type LocalTime = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

function localTime(time: number, timeZone: string): LocalTime {
  const two = '2-digit' as const;
  const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...options });
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)])) as LocalTime;
}
