import { isJsonObject } from '../../lib/domain/values/json.ts';
import { inLine, shellWord } from '../output.ts';

/** One name and value per line, the values aligned. */
export function listing(entries: Record<string, string>): string {
  const width = widest(Object.keys(entries));
  return Object.entries(entries)
    .map(([name, value]) => `${inLine(name).padEnd(width)}  ${inLine(value)}`)
    .join('\n');
}

const widest = (texts: Iterable<string>): number =>
  Iterator.from(texts).reduce((most, { length }) => Math.max(most, length), 0);

/** The fields of an object as texts for {@link listing}, without those that are `null`. An object has a line for each of its fields. */
export const textsOf = (value: object): Record<string, string> => Object.fromEntries(fieldTexts(value, ''));

const fieldTexts = (value: object, prefix: string): [string, string][] =>
  Object.entries(value).flatMap(([name, field]): [string, string][] => {
    if (field === null || field === undefined) return [];
    if (isJsonObject(field)) return fieldTexts(field, `${prefix}${name}.`);
    return [[prefix + name, typeof field === 'string' ? field : JSON.stringify(field)]];
  });

/** `2,000`. */
export const number = (value: number): string => value.toLocaleString('en-US');

/** `1 chunk`, `2,000 chunks`. */
export const quantity = (count: number, noun: string): string => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `2 applied, 1 rejected`. */
export const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${number(count)} ${name.replaceAll('_', ' ')}`)
    .join(', ');

/** How many objects are in each state. States without any are left out. */
export const statesText = <State extends string>(
  objects: readonly { state: State }[],
  states: readonly State[],
): string => {
  const counted = states.map((state) => [state, objects.filter((each) => each.state === state).length] as const);
  return countsText(Object.fromEntries(counted.filter(([, count]) => count > 0)));
};

/** The command that shows how the batch goes on. */
export const watchCommand = (batchId: string, teamId: string): string =>
  `npm run admin -- batch show ${shellWord(batchId)} --team ${shellWord(teamId)} --watch`;

/** A column of a table: the name of a field, or what makes a cell of a row. */
type Column<Row> = keyof Row | ((row: Row) => Cell);
type Cell = string | number | null | undefined;

/** Rows below a line of headings; each column is as wide as its widest cell. `none` is printed if there are no rows. */
export function tableOf<Row>(rows: readonly Row[], columns: Record<string, Column<Row>>, none = ''): string {
  if (rows.length === 0) return none;
  const cell = (row: Row, column: Column<Row>) => {
    const value = typeof column === 'function' ? column(row) : (row[column] as Cell);
    return typeof value === 'number' ? number(value) : inLine(value ?? '');
  };
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((each) => cell(row, each)))];
  const widths = Object.keys(columns).map((_, at) => widest(lines.map((line) => line[at]!)));
  const lineOf = (cells: readonly string[]) => cells.map((each, at) => each.padEnd(widths[at]!)).join('  ');
  return lines.map((line) => lineOf(line).trimEnd()).join('\n');
}

/** Milliseconds between two lines of progress. */
const progressEvery = 5000;

/** Says how far something is, at most every five seconds. */
export function seldom<Said>(say: (said: Said) => void): (said: Said) => void {
  let next = Date.now() + progressEvery;
  return (said) => {
    if (Date.now() < next) return;
    next = Date.now() + progressEvery;
    say(said);
  };
}
