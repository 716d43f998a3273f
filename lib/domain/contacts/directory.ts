import { isNumber } from '../values/fields.ts';
import { numberText } from '../values/json.ts';
import type { Metadata } from '../values/metadata.ts';
import { type Contact, deprecatedFields, flagFields, textFields } from './contact.ts';

/**
 * The directory row of a contact: all values that lists search and sort by, as one string in the index.
 *
 * Values are in lower case, and upper-case ASCII letters mark the structure. A search term is in lower case too, so it
 * cannot match the marks and never matches across fields. The row begins with `updated_at`, whose digits are written as
 * letters in the same order. One cell for each column follows, in the order below, then one for each value of
 * `meta_public`, then one for each value of `meta_private`. A search without access to private metadata ends before
 * these. Add new columns only at the end: a row from before ends there or has a metadata value, and both are read as unset.
 */
const columns = ['unique_id', ...textFields, ...flagFields] as const;

const cell = { unset: 'N', text: 'V', true: 'T', false: 'F', public: 'O', private: 'P' } as const;
const updatedAtLength = 'YYYYMMDDHHMMSSffffff'.length;

export function directoryRow(contact: Contact): string {
  return [
    lettersOf(contact.updated_at),
    ...columns.map((column) => cellOf(contact[column])),
    ...searchableMeta(contact.meta_public).map((value) => cell.public + folded(value)),
    ...searchableMeta(contact.meta_private).map((value) => cell.private + folded(value)),
  ].join('');
}

/** Text in the form in which search and sorting compare it, without case and without regard to Unicode composition. */
// `toLowerCase` gives a sigma at the end of a word another form than a sigma inside a search term, and leaves a dot above
// the i of `İ`.
export const folded = (value: string): string =>
  value.toLowerCase().normalize('NFC').replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');

function cellOf(value: string | boolean | null): string {
  if (value === null) return cell.unset;
  return typeof value === 'string' ? cell.text + folded(value) : cell[value ? 'true' : 'false'];
}

/** Strings and numbers are searchable; keys and booleans are not. */
const searchableMeta = (metadata: Metadata | null): string[] =>
  Object.values(metadata ?? {})
    .filter((value) => typeof value === 'string' || isNumber(value))
    .map((value) => (typeof value === 'string' ? value : numberText(value)));

const lettersOf = (time: string): string => time.replace(/\D/g, '').replace(/\d/g, (digit) => 'ABCDEFGHIJ'[+digit]!);

/** What a list searches for; `withPrivate` searches `meta_private` too. */
export type Search = { text: string; withPrivate: boolean };

/** True if a field or metadata value in the row contains the text. Ignores case. */
export function rowContains(row: string, { text, withPrivate }: Search): boolean {
  const end = withPrivate ? -1 : row.indexOf(cell.private, updatedAtLength);
  return (end === -1 ? row : row.slice(0, end)).includes(folded(text));
}

/** True if the contact of the row was updated at this time (ISO 8601 in UTC) or later. */
export const isUpdatedSince = (row: string, time: string): boolean => row.slice(0, updatedAtLength) >= lettersOf(time);

export const sortColumns = [
  ...columns,
  'unsubscribe_email',
  'unsubscribe_sms',
  'id',
  'inserted_at',
  'updated_at',
] as const;
export type SortColumn = (typeof sortColumns)[number];
export type SortDirection = 'asc' | 'desc';

/** A contact in the directory. */
export type DirectoryEntry = { id: string; insertedAt: string; row: string };

/** A position in a sorted list. Values of all columns are compared as strings; `null` means unset. */
export type Position = { value: string | null; id: string };

/** Makes a function that returns the position of an entry in the list sorted by the column. */
export function positionBy(column: SortColumn): (entry: DirectoryEntry) => Position {
  const read = sortValue(column);
  return (entry) => ({ value: read(entry), id: entry.id });
}

function sortValue(column: SortColumn): (entry: DirectoryEntry) => string | null {
  if (column === 'id') return ({ id }) => id;
  if (column === 'inserted_at') return ({ insertedAt }) => insertedAt;
  if (column === 'updated_at') return ({ row }) => row.slice(0, updatedAtLength);
  if (column === 'unsubscribe_email' || column === 'unsubscribe_sms') {
    const read = sortValue(deprecatedFields[column]);
    return (entry) => inverseOf(read(entry));
  }
  const index = columns.indexOf(column);
  return ({ row }) => columnValue(row, index);
}

/** Converts the value of a column in a response to the `value` that {@link positionBy} gives. */
export function directoryValue(column: SortColumn, text: string): string {
  if (column === 'id' || column === 'inserted_at') return text;
  if (column === 'updated_at') return lettersOf(text);
  return isFlag(column) ? (text === 'true' ? cell.true : text === 'false' ? cell.false : cell.unset) : folded(text);
}

const isFlag = (column: SortColumn): boolean =>
  column in deprecatedFields || (flagFields as readonly string[]).includes(column);

const inverseOf = (value: string | null): string | null =>
  value === null ? null : value === cell.true ? cell.false : cell.true;

/** The value of a column in the row: folded text, or the letter of a flag (false sorts before true). */
function columnValue(row: string, index: number): string | null {
  let start = updatedAtLength;
  for (let passed = 0; passed < index; passed++) start = nextCell(row, start);
  const kind = row[start];
  if (kind === cell.text) return row.slice(start + 1, nextCell(row, start));
  return kind === cell.true || kind === cell.false ? kind : null;
}

function nextCell(row: string, start: number): number {
  let at = start + 1;
  while (at < row.length && !isCapital(row.charCodeAt(at))) at++;
  return at;
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90;

/** Compares positions. Unset values come last in both directions, ties are ordered by id. */
export function inOrder(direction: SortDirection): (a: Position, b: Position) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => {
    if (a.value === b.value) return compare(a.id, b.id);
    if (a.value === null) return 1;
    if (b.value === null) return -1;
    return sign * compare(a.value, b.value);
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Selects the first `count` positions after `after` from any number of offered positions. */
export class FirstInOrder {
  readonly #count: number;
  readonly #order: (a: Position, b: Position) => number;
  readonly #after: Position | undefined;
  #kept: Position[] = [];

  constructor(count: number, direction: SortDirection, after?: Position) {
    this.#count = count;
    this.#order = inOrder(direction);
    this.#after = after;
  }

  offer(position: Position): void {
    if (this.#after && this.#order(position, this.#after) <= 0) return;
    this.#kept.push(position);
    // Sorting from time to time limits the memory, so that it does not grow with the number of contacts.
    if (this.#kept.length >= 2 * this.#count + 1000) this.#kept = this.taken();
  }

  taken(): Position[] {
    return this.#kept.sort(this.#order).slice(0, this.#count);
  }
}
