import { type Contact, deprecatedFields, flagFields, textFields } from './contact.ts';
import { isNumber } from './fields.ts';
import { numberText } from './json.ts';
import type { Metadata } from './metadata.ts';

/**
 * The directory's row: all of a contact that lists search and sort by, as one string that the index carries.
 *
 * Values are in lower case, so ASCII capitals are free for structure, and a search term, in lower case too, can match
 * neither structure nor what is written in capitals, and never reaches across fields. First `updated_at`, its digits as
 * letters, so that they sort alike; then one cell for each column, in this order; then one for each value of
 * `meta_public`, then of `meta_private`, so that a search for who may not read these ends before them.
 * A new column goes behind the last one: a row from before it has a metadata value there or ends, which reads as unset.
 */
const columns = ['unique_id', ...textFields, ...flagFields] as const;

const cell = { unset: 'N', text: 'V', true: 'T', false: 'F', public: 'O', private: 'P' } as const;
/** Where what only some may search begins. `M` stands for both kinds of metadata in rows from before they were told apart. */
const privateCells = /[MP]/;
const updatedAtLength = 'YYYYMMDDHHMMSSffffff'.length;

export function directoryRow(contact: Contact): string {
  return [
    lettersOf(contact.updated_at),
    ...columns.map((column) => cellOf(contact[column])),
    ...searchableMeta(contact.meta_public).map((value) => cell.public + folded(value)),
    ...searchableMeta(contact.meta_private).map((value) => cell.private + folded(value)),
  ].join('');
}

/** Text as search and sorting compare it: without regard to case. */
// Lower-casing makes the last sigma of a word another letter than the same sigma inside a search term.
export const folded = (value: string): string => value.toLowerCase().replaceAll('ς', 'σ');

function cellOf(value: string | boolean | null): string {
  if (value === null) return cell.unset;
  return typeof value === 'string' ? cell.text + folded(value) : cell[value ? 'true' : 'false'];
}

/** Strings and numbers; neither keys nor booleans. */
const searchableMeta = (metadata: Metadata | null): string[] =>
  Object.values(metadata ?? {})
    .filter((value) => typeof value === 'string' || isNumber(value))
    .map((value) => (typeof value === 'string' ? value : numberText(value)));

const lettersOf = (time: string): string => time.replace(/\D/g, '').replace(/\d/g, (digit) => 'ABCDEFGHIJ'[+digit]!);

/** What a search looks for, and whether it looks into `meta_private` too. */
export type Search = { text: string; withPrivate: boolean };

/** Whether the row is of a contact with this in a field or metadata value, without regard to case. */
export function rowContains(row: string, { text, withPrivate }: Search): boolean {
  const end = withPrivate ? -1 : row.search(privateCells);
  return (end === -1 ? row : row.slice(0, end)).includes(folded(text));
}

/** Whether the row is of a contact that was updated at this time (ISO 8601 in UTC) or later. */
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

/** A contact as the directory knows it. */
export type DirectoryEntry = { id: string; insertedAt: string; row: string };

/** A place in a sorted list. Values compare as strings, whatever the column; `null` where unset. */
export type Position = { value: string | null; id: string };

/** Gives an entry's place in the list sorted by the column. */
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

/** What {@link positionBy} gives for a contact whose column, as the interface shows it, is this text. */
export function directoryValue(column: SortColumn, text: string): string {
  if (column === 'id' || column === 'inserted_at') return text;
  if (column === 'updated_at') return lettersOf(text);
  return isFlag(column) ? (text === 'true' ? cell.true : text === 'false' ? cell.false : cell.unset) : folded(text);
}

const isFlag = (column: SortColumn): boolean =>
  column in deprecatedFields || (flagFields as readonly string[]).includes(column);

const inverseOf = (value: string | null): string | null =>
  value === null ? null : value === cell.true ? cell.false : cell.true;

/** The value in the row's column: folded text, or a flag's letter (false sorts before true). */
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

/** The order of a list: unset values last in both directions, ties by id. */
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

/** The first `count` places in order behind `after`, of however many are offered. */
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

  offer(place: Position): void {
    if (this.#after && this.#order(place, this.#after) <= 0) return;
    this.#kept.push(place);
    // Sorting now and then keeps the memory at the page, however many contacts there are.
    if (this.#kept.length >= 2 * this.#count + 1000) this.#kept = this.taken();
  }

  taken(): Position[] {
    return this.#kept.sort(this.#order).slice(0, this.#count);
  }
}
