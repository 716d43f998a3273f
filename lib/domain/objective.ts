import { isCalendarDate, isDateOrDateTime, isNumber, utcDateTime } from './fields.ts';
import { canonicalNumber, type JsonObject, type JsonValue } from './json.ts';

/** Something that contacts can complete (specification, "Objective"); uploads refer to it by `key`. */
export type Objective = { id: string; key: string };

/** When a contact completed each objective, by the objective's id; ISO 8601 in UTC. */
export type Completions = { readonly [objectiveId: string]: string };

const affirmations = new Set(['true', 't', '1', 'y', 'yes', 'complete', 'completed', 'done']);

/**
 * The completions after a record whose unknown fields are `fields`: a field whose name is an objective's key completes
 * it. The first completion stands.
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

/** The time of completion that a value states; `undefined` when it states none. */
export function completionTime(value: JsonValue, now: string): string | undefined {
  if (value === true || (isNumber(value) && canonicalNumber(value) === 1)) return now;
  if (typeof value !== 'string') return undefined;
  return affirmations.has(value.toLowerCase()) ? now : instant(value);
}

const moment = /^(.{10}).(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:z|([+-]\d\d):?(\d\d)?)?$/i;

/** An ISO 8601 date or date-time as a timestamp in UTC; a date alone is its midnight, a time without offset is UTC. */
export function instant(value: string): string | undefined {
  if (isCalendarDate(value)) return `${value}T00:00:00.000000Z`;
  const parts = isDateOrDateTime(value) ? moment.exec(value) : null;
  if (!parts) return undefined;
  const [, day, time, seconds = '00', fraction = '', hours = '+00', minutes = '00'] = parts;
  const leap = seconds === '60';
  const utc = Date.parse(`${day}T${time}:${leap ? '59' : seconds}${hours}:${minutes}`) + (leap ? 1000 : 0);
  const text = new Date(utc).toISOString();
  // Years beyond four digits do not sort as text and mean nothing here.
  return text.length === 24 ? `${text.slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z` : undefined;
}

/**
 * A date-time with `Z` as a timestamp: with six digits of its seconds' fraction, and with more where more of them count.
 */
export function exactInstant(value: string): string | undefined {
  const time = utcDateTime.test(value) ? instant(value) : undefined;
  const beyond = /[.,]\d{6}(\d*[1-9])/.exec(value)?.[1] ?? '';
  return time && `${time.slice(0, -1)}${beyond}Z`;
}
