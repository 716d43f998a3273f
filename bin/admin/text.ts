import { isJsonObject } from '../../lib/domain/json.ts';
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

/** The command that shows how the batch goes on. */
export const watchCommand = (batchId: string, teamId: string): string =>
  `npm run admin -- batch show ${shellWord(batchId)} --team ${shellWord(teamId)} --watch`;

/** Rows below a line of headings; each column is as wide as its widest cell. `none` is printed if there are no rows. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const all = [headings, ...rows].map((row) => row.map(inLine));
  const widths = headings.map((_, column) => widest(all.map((row) => row[column] ?? '')));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
