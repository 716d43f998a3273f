import * as z from 'zod';
import { localTime } from '../values/local-time.ts';
import { dropKinds } from './drop.ts';
import { type DropReport, dropOutcome } from './drop-report.ts';

/** How the last file of an expected file ended. */
export const verdict = z.object({
  /** The hour for which it arrived, as a time. */
  hour: z.string(),
  /** The rows of each file that arrived for this hour, by file id; only if there is a `min_rows`. */
  rows: z.record(z.string(), z.number()),
  status: dropOutcome.shape.status,
  /** What is not as expected. */
  deviations: z.array(z.string()),
});
export type Verdict = z.output<typeof verdict>;

/** A file that a team must drop every day by an hour. If it has not arrived by then, an alarm goes off. */
export const expectedFile = z.object({
  team_id: z.string(),
  type: z.enum(dropKinds),
  /** The hour of the day: `HH:MM`. */
  by: z.string(),
  /** IANA name of the time zone of the hour. */
  time_zone: z.string(),
  /** The largest share of rejected rows of a file, in percent. */
  max_rejected: z.number().optional(),
  /** The smallest number of rows of all files of an hour together. */
  min_rows: z.number().optional(),
  /** How the columns of the file become fields, and how it writes dates and numbers, as JSON text. */
  map: z.string().optional(),
  inserted_at: z.string(),
  /** When a file of this type last arrived; `null` if none has arrived yet. */
  last_arrival_at: z.string().nullable(),
  verdict: verdict.optional(),
  /** Number of verdicts so far. */
  verdicts: z.int().optional(),
});
export type ExpectedFile = z.output<typeof expectedFile>;

/** A file that has ended. */
export type EndedFile = { file_id: string; received_at: string } & Pick<DropReport, 'status' | 'rows'>;

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

/**
 * The expected file that a file of the type is, by the time of its arrival: the one whose hour is nearest. It arrived for
 * that hour.
 */
export function expectationOf<Expected extends Hour>(
  expected: readonly Expected[],
  receivedAt: string,
): { expected: Expected; hour: number } | undefined {
  const at = Date.parse(receivedAt);
  const distance = ({ hour }: { hour: number }) => Math.abs(hour - at);
  return expected
    .flatMap((each) => around(each, at).map((hour) => ({ expected: each, hour })))
    .sort((a, b) => distance(a) - distance(b))[0];
}

/** The verdict after a file that arrived for this hour has ended. The same file again changes nothing. */
export function judged(
  { max_rejected = 100, min_rows = 0, verdict: before }: ExpectedFile,
  hour: string,
  { file_id, status, rows: { read, rejected } }: EndedFile,
): Verdict {
  const earlier = before?.hour === hour ? before.rows : {};
  const rows = min_rows > 0 ? { ...earlier, [file_id]: read } : {};
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const share = read === 0 ? 0 : (100 * rejected) / read;
  const deviations = [
    ...(share > max_rejected
      ? [`${percent(share)} of the rows were rejected, more than ${percent(max_rejected)}`]
      : []),
    ...(total < min_rows ? [`${total} rows were read, fewer than ${min_rows}`] : []),
  ];
  return { hour, rows, status, deviations };
}

const percent = (share: number): string => `${Number(share.toFixed(2))}%`;

/** `failed`: the last file was not completed. `unexpected`: it was, but it is not as expected. */
export type ExpectedState = 'ok' | 'missing' | 'failed' | 'unexpected';

export function stateOfExpected(expected: ExpectedFile, now: number): ExpectedState {
  if (isMissing(expected, now)) return 'missing';
  const { verdict } = expected;
  if (!verdict) return 'ok';
  return verdict.status !== 'completed' ? 'failed' : verdict.deviations.length > 0 ? 'unexpected' : 'ok';
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
