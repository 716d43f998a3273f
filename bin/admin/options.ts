import { InvalidArgumentError } from 'commander';
import { text } from '../../lib/domain/fields.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';

/** Parsers of options that several nouns have. @throws InvalidArgumentError */

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

export function percentOption(value: string): number {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(value)?.[1]);
  if (percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a percentage from 0% to 100%, such as 5%.');
}
