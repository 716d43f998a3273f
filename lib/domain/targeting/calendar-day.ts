import { instant } from '../contacts/objective.ts';
import { isCalendarDate } from '../values/fields.ts';

/** Calendar days, as `YYYY-MM-DD`, in a time zone. */

/** A format takes long to make, and there are few time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format;
}

/** The day that it is in the time zone at this time. @param time milliseconds since the epoch */
export function dayAt(time: number, timeZone: string): string {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')!.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/**
 * The day of an ISO 8601 date or date-time. A date is this day in every time zone, a date-time is a time, which belongs
 * to the day of the time zone. `undefined` for another text.
 */
export function dayOf(value: string, timeZone: string): string | undefined {
  if (isCalendarDate(value)) return value;
  const time = instant(value);
  return time === undefined ? undefined : dayAt(Date.parse(time), timeZone);
}

const millisecondsOfDay = 86_400_000;

/** How many days the second day is after the first. */
export const daysBetween = (first: string, second: string): number =>
  (Date.parse(second) - Date.parse(first)) / millisecondsOfDay;
