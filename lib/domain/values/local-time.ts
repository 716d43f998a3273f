export type LocalTime = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

/** A format takes long to make, and there are few time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const two = '2-digit' as const;
    const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...options });
    formats.set(timeZone, format);
  }
  return format;
}

/** The date and time in the time zone. @param time milliseconds since the epoch */
export const localTime = (time: number, timeZone: string): LocalTime =>
  Object.fromEntries(
    formatIn(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  ) as LocalTime;

const day = 86_400_000;

/** Milliseconds by which the clocks of the time zone are ahead of UTC. @param time a whole second */
function offsetAt(time: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(time, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - time;
}

/**
 * The first time at which the clocks of the time zone show this, as if it were UTC. Where they are put forward past it,
 * the time that they show instead.
 */
function timeOfClock(clock: number, timeZone: string): number {
  // A time zone changes at most once within two days.
  const [before, after] = [offsetAt(clock - day, timeZone), offsetAt(clock + day, timeZone)];
  const [first, second] = before > after ? [clock - before, clock - after] : [clock - after, clock - before];
  const isShown = (time: number) => time + offsetAt(time, timeZone) === clock;
  return [first, second].find(isShown) ?? clock - before;
}

/** The minute of the day, from 0, of a clock time `HH:MM`. */
const minuteOfDay = (clockTime: string): number => Number(clockTime.slice(0, 2)) * 60 + Number(clockTime.slice(3, 5));

/**
 * The first time, not before the given one, at which the clocks of the time zone show this time of the day.
 * @param time milliseconds since the epoch @param clockTime `HH:MM`
 */
export function nextClockTime(time: number, clockTime: string, timeZone: string): number {
  const { year, month, day: date } = localTime(time, timeZone);
  const today = Date.UTC(year, month - 1, date) + minuteOfDay(clockTime) * 60_000;
  const times = [0, 1, 2].map((days) => timeOfClock(today + days * day, timeZone));
  return times.find((each) => each >= time)!;
}

/**
 * True if the clocks of the time zone show a time from the first time of the day to before the second. The two can span
 * midnight.
 */
export function isClockWithin(time: number, { from, to }: { from: string; to: string }, timeZone: string): boolean {
  const { hour, minute } = localTime(time, timeZone);
  const [now, start, end] = [hour * 60 + minute, minuteOfDay(from), minuteOfDay(to)];
  return start <= end ? now >= start && now < end : now >= start || now < end;
}
