/**
 * Timestamps of the interface: ISO 8601 in UTC with microseconds, so that their order is the order of their text.
 * The clock gives milliseconds; the three digits after them keep the records of one request in the order they were sent.
 */
export const timestamp = (milliseconds: number, microseconds = 0): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;

/**
 * Orders timestamps by time. Teams, credentials and import journals were once stored with three digits, and `…123Z`
 * sorts as text after every `…123456Z`.
 */
export function byTime(one: string, other: string): number {
  const [first, second] = [sixDigits(one), sixDigits(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

const sixDigits = (time: string): string => time.replace(/\.(\d{3})Z$/, '.$1000Z');
