/**
 * Makes a timestamp for the API: ISO 8601 in UTC with microseconds, so that timestamps sort as text. The clock gives
 * milliseconds. The three digits after them keep the order of the records of one request.
 */
export const timestamp = (milliseconds: number, microseconds = 0): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;

/** Timestamps that keep the order of the calls of one process within a millisecond. */
export function orderedTimestamps(): (milliseconds: number) => string {
  let [last, count] = [0, 0];
  return (milliseconds) => {
    count = milliseconds === last ? count + 1 : 0;
    last = milliseconds;
    return timestamp(milliseconds, Math.min(count, 999));
  };
}

/**
 * Compares timestamps by time. Older teams, clients and import journals are stored with three fractional digits, and as
 * text, `…123Z` sorts after every `…123456Z`.
 */
export function byTime(one: string, other: string): number {
  const [first, second] = [sixDigits(one), sixDigits(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Those that exist, by the time of their creation. */
export const oldestFirst = <T extends { inserted_at: string }>(found: readonly (T | undefined)[]): T[] =>
  found.filter((each) => each !== undefined).sort((a, b) => byTime(a.inserted_at, b.inserted_at));

const sixDigits = (time: string): string => time.replace(/\.(\d{3})Z$/, '.$1000Z');

/** This time, or a microsecond after the latest of the others if that is not before it. */
export function laterThan(others: readonly string[], time: string): string {
  const latest = others.map(sixDigits).reduce((last, each) => (each > last ? each : last), '');
  if (latest < time) return time;
  const microseconds = Number(latest.slice(-4, -1)) + 1;
  return timestamp(Date.parse(latest) + Math.floor(microseconds / 1000), microseconds % 1000);
}

/** True for a time zone that `Intl` knows: an IANA name such as `Europe/Prague`, or an offset. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** True for the IANA name of a time zone. */
export const isNamedTimeZone = (value: string): boolean => /[a-z]/i.test(value) && isTimeZone(value);

/** The first value that is the IANA name of a time zone, if any. The `timezone` of a contact can be any text. */
export const timeZoneFor = (...values: readonly (string | null | undefined)[]): string | undefined =>
  values.find((value) => typeof value === 'string' && isNamedTimeZone(value)) ?? undefined;
