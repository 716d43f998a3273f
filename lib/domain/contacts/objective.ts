import { isCalendarDate, isDateOrDateTime, isNumber, utcDateTime } from '../values/fields.ts';
import { canonicalNumber, type JsonObject, type JsonValue } from '../values/json.ts';

/** Something that contacts can complete (specification, "Objective"). Records refer to it by `key`. */
export type Objective = { id: string; key: string };

/** The time at which a contact completed each objective, ISO 8601 in UTC, by the id of the objective. */
export type Completions = { readonly [objectiveId: string]: string };

const affirmations = new Set(['true', 't', '1', 'y', 'yes', 'complete', 'completed', 'done']);

/**
 * The completions after a record. A field whose name is the key of an objective completes it. A completed objective
 * keeps the time of its first completion.
 * @param fields the fields of the record that are not fields of a contact
 * @param now time of receipt
 */
export function completed(
  stored: Completions,
  fields: JsonObject,
  objectives: readonly Objective[],
  now: string,
): Completions {
  const fresh = objectives
    .filter(({ id, key }) => Object.hasOwn(fields, key) && !Object.hasOwn(stored, id))
    .map(({ id, key }) => [id, completionTime(fields[key]!, now)] as const)
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fresh.length === 0 ? stored : { ...stored, ...Object.fromEntries(fresh) };
}

/** The time of completion for a value (contract, section 3). `undefined` if the value completes nothing. */
export function completionTime(value: JsonValue, now: string): string | undefined {
  if (value === true || (isNumber(value) && canonicalNumber(value) === 1)) return now;
  if (typeof value !== 'string') return undefined;
  return affirmations.has(value.toLowerCase()) ? now : instant(value);
}

/** The parts of a valid date-time. */
const moment = /(.{10}).(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:z|([+-]\d\d):?(\d\d)?)?/i;

/** An ISO 8601 date or date-time as a timestamp in UTC. A date means midnight, and a time without offset is in UTC. */
export function instant(value: string): string | undefined {
  if (isCalendarDate(value)) return `${value}T00:00:00.000000Z`;
  const parts = isDateOrDateTime(value) ? moment.exec(value) : null;
  if (!parts) return undefined;
  const [, day, time, seconds = '00', fraction = '', hours = '+00', minutes = '00'] = parts;
  const leap = seconds === '60';
  const utc = Date.parse(`${day}T${time}:${leap ? '59' : seconds}${hours}:${minutes}`) + (leap ? 1000 : 0);
  const text = new Date(utc).toISOString();
  // Years of more than four digits do not sort as text, and are not useful here.
  return text.length === 24 ? `${text.slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z` : undefined;
}

/**
 * A date-time with `Z` as a timestamp with six fractional digits. If more digits are not all zero, they become a 1, so
 * that the time is later than the timestamp with six digits.
 */
export function exactInstant(value: string): string | undefined {
  const time = utcDateTime.test(value) ? instant(value) : undefined;
  const beyond = /[.,]\d{6}\d*[1-9]/.test(value) ? '1' : '';
  return time && `${time.slice(0, -1)}${beyond}Z`;
}
