import { InvalidArgumentError } from 'commander';
import { isHour } from '../../lib/domain/drop-box/expected-file.ts';
import { batchListLimits } from '../../lib/domain/imports/batch-list.ts';
import { text } from '../../lib/domain/values/fields.ts';
import { isTimeZone, timestamp } from '../../lib/domain/values/timestamp.ts';
import { failure } from './failure.ts';
import { optional, type Parameter } from './verb.ts';

/** What several nouns read in their options. The parsers throw InvalidArgumentError. */

export function nameOption(value: string): string {
  const result = text().safeParse(value);
  if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]!.message}.`);
  if (value.trim() === '') throw new InvalidArgumentError('It must not be blank.');
  return value;
}

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z)?$/;

/** A time in UTC, or a date, which means its beginning in UTC. */
export function timeOption(value: string): string {
  const time = form.test(value) ? Date.parse(value) : Number.NaN;
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value.slice(0, 10);
  if (isReal) return timestamp(time);
  throw new InvalidArgumentError('It must be a date, such as 2027-01-31, or a time in UTC: 2027-01-31T12:00:00Z.');
}

export function futureOption(value: string): string {
  const time = timeOption(value);
  if (Date.parse(time) <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return time;
}

/** A time at which content is published. */
export function publishTimeOption(value: string): string {
  const time = futureOption(value);
  if (Date.parse(time) <= Date.now() + 366 * 86_400_000) return time;
  throw new InvalidArgumentError('It must be at most a year ahead.');
}

export function percentOption(value: string): number {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(value)?.[1]);
  if (percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a percentage from 0% to 100%, such as 5%.');
}

export function hourOption(value: string): string {
  if (isHour(value)) return value;
  throw new InvalidArgumentError('It must be an hour from 00:00 to 23:59, such as 05:00.');
}

export function timeZoneOption(value: string): string {
  if (isTimeZone(value)) return value;
  throw new InvalidArgumentError('It must be the name of a time zone, such as Europe/Prague.');
}

/** A whole number from 1. */
export function countOption(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

/** How many objects a list has at most. */
export const limitOption = (says: string): Parameter<number> => ({
  ...{ value: '<number>', says, default: 20 },
  parse: (text) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= batchListLimits.maximum) return limit;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${batchListLimits.maximum}.`);
  },
});

/** How a file is read, as in `npm run import`. */
export const formatOptions = {
  map: optional('<file>', 'a JSON file that maps columns to fields, as for npm run import'),
  dates: optional('<format>', 'how the file writes dates, such as MM/DD/YYYY'),
  numbers: optional('<example>', 'how the file writes 1234.50, such as 1.234,50'),
  encoding: optional('<label>', 'the encoding of the file if it is not UTF-8, such as windows-1252'),
};

/** The id of an object that is named by an argument or an option. @throws AdminFailure `invalid_arguments` */
export function aimedId(noun: string, what: string, option: string | undefined, argument: string | undefined): string {
  const given = [...new Set([option, argument].filter((id) => id !== undefined))];
  if (given.length === 1) return given[0]!;
  const message = given.length === 0 ? `is missing; give the ${noun}_id` : `two different ${what}s are given`;
  throw failure('invalid_arguments', message, `--${noun}`);
}

/** The templates with this id or name. Names of templates are not unique. */
export function templatesNamed<Named extends { id: string; name: string | null }>(
  templates: readonly Named[],
  idOrName: string,
): Named[] {
  const byId = templates.filter(({ id }) => id === idOrName.toLowerCase());
  return byId.length > 0 ? byId : templates.filter(({ name }) => name === idOrName);
}

/** The template that `--template` names. @throws AdminFailure `not_found`, `ambiguous` */
export function oneTemplate<Named extends { id: string; name: string | null }>(
  templates: readonly Named[],
  idOrName: string,
): Named {
  const [template, ...others] = templatesNamed(templates, idOrName);
  if (others.length > 0) {
    const ids = [template, ...others].map((each) => each!.id).join(', ');
    throw failure('ambiguous', `several templates have this name: ${ids}`, '--template');
  }
  if (template) return template;
  const names = templates.map(({ id, name }) => JSON.stringify(name ?? id)).join(', ') || 'none';
  throw failure('not_found', `no template has this id or name; the team has ${names}`, '--template');
}
