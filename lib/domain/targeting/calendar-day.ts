import { instant } from '../contacts/objective.ts';
import { isCalendarDate } from '../values/fields.ts';
import { localTime } from '../values/local-time.ts';

/** Calendar days, as `YYYY-MM-DD`, in a time zone. */

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** The day that it is in the time zone at this time. @param time milliseconds since the epoch */
export function dayAt(time: number, timeZone: string): string {
  const { year, month, day } = localTime(time, timeZone);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
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
