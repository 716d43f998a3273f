import { knownFields } from '../domain/contacts/contact.ts';
import { completionTime } from '../domain/contacts/objective.ts';
import { type FileNotice, joinedNotices } from '../domain/drop-box/file-notice.ts';
import { isJsonObject, type JsonObject } from '../domain/values/json.ts';
import { type FileKind, isWordForNothing, kinds, knownField, typeOf, valueAt } from './kinds.ts';
import type { Row } from './rows.ts';

/** What is probably not meant in a value: the kind of the notice, its message and the values that have it. */
type Rule = { kind: string; message: string; test(value: string): boolean };

/** A long number as Excel writes it: `1.23457E+11`. */
const scientific = /^\d(?:[.,]\d+)?E\+?\d+$/i;
const invisible = /[\p{Cc}\p{Cf}\p{DI}]/u;
const c1 = /[\u0080-\u009f]/;
/** The same in JSON. */
const escapedC1 = /\\u00[89]/i;

/** Of what identifies. It is kept as it is: only the sender knows what is meant. The first rule that applies counts. */
const idRules: readonly Rule[] = [
  {
    kind: 'id_scientific',
    message:
      'an id is in scientific notation, so a spreadsheet has probably removed digits; format the column as text and export the file again',
    test: (value) => scientific.test(value),
  },
  {
    kind: 'id_decimal',
    message: 'an id ends in .0, as a spreadsheet writes numbers; format the column as text and export the file again',
    test: (value) => /\.0+$/.test(value),
  },
  {
    kind: 'id_invisible',
    message: 'an id contains invisible or control characters, which are part of it; remove them',
    test: (value) => invisible.test(value),
  },
  {
    kind: 'id_spaces',
    message: 'an id has spaces around it, which are part of it; remove them',
    test: (value) => value !== value.trim(),
  },
  {
    kind: 'id_formula',
    message: 'an id is written as a formula, such as ="007", and all of that is the id; export the text alone',
    test: (value) => value.startsWith('='),
  },
  {
    kind: 'id_apostrophe',
    message: 'an id begins with an apostrophe, which is part of it; export the text alone',
    test: (value) => /^['\u2018\u2019]/.test(value),
  },
];

/** Of other values. */
const wordForNothing = {
  kind: 'word_for_nothing',
  message:
    'a value is a word such as NULL or N/A, which is stored as it is; leave the cell empty, or map the word to ""',
};
const controlCharacters = {
  kind: 'control_characters',
  message: 'a value contains control characters of a wrong encoding; name the encoding of the file with --encoding',
};
const oldDate = {
  kind: 'old_date',
  message: 'a date is as old as those that systems write for "none", such as 1900-01-01; map it to "" if it means that',
};
const oldestDates = /^(?:0001|1900)-01-01/;
/** No open account is so old. */
const firstYear = '1910';
const lifeDates: ReadonlySet<string> = new Set(['opened_date', 'closed_date']);

const objectiveCell = {
  kind: 'objective_cell',
  message:
    'a cell of a column that is only of use as the key of an objective completes none; write true, yes or done, or a date such as 2026-12-31 (or name the format of dates with --dates)',
};
/** A date, or a word for yes, that no record completes an objective with. Words for no are meant. */
const meantAsCompletion =
  /^(?:\d{4}([-./ ])\d{1,2}\1\d{1,2}|\d{1,2}([-./ ])(?:\d{1,2}|[a-z]{3})\2(?:\d{4}|\d\d)|(?:19|20)\d{6}|\d{4}(?:19|20)\d\d)(?:[T ].*)?$|^\W*(?:true|t|1(?:\.0+)?|y|yes|completed?|done|[✓✔☑])\W*$/i;
const completesNothing = (value: string): boolean =>
  meantAsCompletion.test(value) && completionTime(value, '') === undefined;

const lostZeros = {
  kind: 'short_post_code',
  message:
    'a post code is shorter than others, so a spreadsheet has probably removed zeros, and no answer in the identity check is equal to it; format the column as text and export the file again',
};
/** States of the USA whose codes begin with a zero. */
const zeroStates = /^(?:CT|MA|ME|NH|NJ|PR|RI|VI|VT)$/i;

/** What a row is probably not meant to be. */
const rowMessages = {
  repeated_row: { kind: 'repeated_row', message: 'a row has the subject of an earlier row, and the later one wins' },
  empty_id: {
    kind: 'empty_id',
    message:
      'the file has a column for the id, but the cell is empty: an email stands for the id, or the account has no contact',
  },
  near_key: {
    kind: 'near_key',
    message: 'a key is almost the name of a field, but keys of JSON must be exact, so it is none',
  },
};

/** Of the file, or of a line that is no row. */
export const fileMessages = {
  no_rows: 'the file has no rows',
  renamed_columns: 'names of columns are read as fields that are written otherwise',
  repeated_header: 'a line is the header again and is left out',
  hyphens: 'a line of hyphens under the header is left out',
  cut_last_line: 'the last line has no line end, as all others have: the file may have been cut off',
  trailer_row:
    'the last row looks like a trailer with the number of rows, but is taken as a row; name how it begins in a map, as "_trailer"',
  after_gzip: 'spaces, line ends or zeros follow the gzip data and are left out',
};

const trailer = /^(?:trailer|trlr?|tlr|footer|ftr|eof|totals?|summary)\b|^\(?\d+ (?:rows?|records?|lines?)\b/i;
export const isLikeTrailer = ({ ids, errors }: Row): boolean =>
  errors.length === 0 && ids[0] !== undefined && trailer.test(ids[0][1].trim());

/** A plain id needs no test of its characters. */
const plainId = /^[\w-]+$/;

type Found = { kind: string; message: string };

/** Adds the notices of a row. */
function lookAt(kind: FileKind, row: Row, idField: string | undefined, found: Set<Found>): void {
  const { record, errors, ids, said } = row;
  // The names of columns have been looked at.
  if (!row.cells && hasNearKey(kind, record)) found.add(rowMessages.near_key);
  if (errors.length > 0) return;
  let hasId = false;
  for (const [field, value] of ids) {
    hasId ||= field === idField;
    if (plainId.test(value) && !scientific.test(value)) continue;
    const rule = idRules.find(({ test }) => test(value));
    if (rule) found.add(rule);
  }
  if (idField && !hasId && !said.has(idField)) found.add(rowMessages.empty_id);
  if (c1.test(row.text) || (!row.cells && escapedC1.test(row.text))) found.add(controlCharacters);
  for (const name in record) {
    const value = record[name]!;
    if (typeof value === 'string') {
      lookAtValue(kind, row, value, name, found);
      if (kind === 'contacts' && !knownFields.has(name) && completesNothing(value) && !knownField(kind, name))
        found.add(objectiveCell);
    } else if (typeof value === 'object' && isJsonObject(value)) {
      for (const inner in value) {
        const each = value[inner]!;
        if (typeof each === 'string' && starts[each.charCodeAt(0)]) {
          lookAtValue(kind, row, each, `${name}.${inner}`, found);
        }
      }
    }
  }
}

function lookAtValue(kind: FileKind, { ids }: Row, value: string, field: string, found: Set<Found>): void {
  // Most values begin like none of these, and reading should not become slower by what is rare.
  const first = starts[value.charCodeAt(0)];
  if (first === undefined) return;
  if (first === 'word' && isWordForNothing(value) && !ids.some(([id]) => id === field)) found.add(wordForNothing);
  if (first === 'word' || value[4] !== '-' || typeOf(kind, field) !== 'date') return;
  if (oldestDates.test(value) || (lifeDates.has(field) && value < firstYear)) found.add(oldDate);
}

/** By the code of the first character: what the value can be. */
const starts: ('word' | 'date' | undefined)[] = [];
for (const character of ' \t\r\n\u00a0(\\#nN-') starts[character.charCodeAt(0)] = 'word';
for (const character of '01') starts[character.charCodeAt(0)] = 'date';

const isNear = (kind: FileKind, name: string): boolean =>
  typeOf(kind, name) === undefined && knownField(kind, name) !== undefined;

/** By key, whether it is almost that of a field. Files have few different keys. */
const nearKeys = { accounts: new Map<string, boolean>(), contacts: new Map<string, boolean>() };
const maxKeys = 10_000;

function hasNearKey(kind: FileKind, record: JsonObject): boolean {
  const known = nearKeys[kind];
  const isOne = (name: string): boolean => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= maxKeys) known.clear();
    known.set(name, isNear(kind, name));
    return known.get(name)!;
  };
  for (const name in record) {
    if (isOne(name)) return true;
    const value = record[name]!;
    if ((name === 'contact' || name === 'product') && isJsonObject(value)) {
      for (const inner in value) if (isOne(`${name}.${inner}`)) return true;
    }
  }
  return false;
}

/** Room for about 60,000 rows in 7 MB. The whole importer may use 150 MB. */
const maxKept = 4_000_000;
/** Of each row besides its text. */
const overhead = 32;

/** Whether there are codes of five digits, and the lines of shorter ones. */
type PostCodes = { isFull: boolean; short: number[] };

/** Collects the notices of a file. */
export class Notices {
  readonly #kind: FileKind;
  readonly #idField: string | undefined;
  /** The subjects of earlier rows. When it is full, further rows are only compared with those in it. */
  readonly #subjects = new Set<string>();
  #kept = 0;
  readonly #ofRow = new Set<Found>();
  /** Of the rows since the notices were taken, by country. */
  readonly #postCodes = new Map<string, PostCodes>();
  #found: FileNotice[] = [];

  /** @param idField the field with the id, if the file has a column for it */
  constructor(kind: FileKind, idField: string | undefined) {
    this.#kind = kind;
    this.#idField = idField;
  }

  look(row: Row): void {
    const found = this.#ofRow;
    if (this.#kind === 'contacts') this.#lookAtPostCode(row);
    lookAt(this.#kind, row, this.#idField, found);
    if (row.errors.length === 0 && this.#isRepeated(row)) found.add(rowMessages.repeated_row);
    if (found.size === 0) return;
    for (const { kind, message } of found) this.add(kind, message, row.line);
    found.clear();
  }

  /** @param line that of the row; none if it concerns the whole file */
  add(kind: string, message: string, line?: number): void {
    const notice = { kind, count: 1, first_rows: line === undefined ? [] : [line], message };
    this.#found = joinedNotices(this.#found, [notice]);
  }

  /** A code of three or four digits is normal in some countries, but not among codes of five. */
  #lookAtPostCode({ record, line, errors }: Row): void {
    const [code, country, state] = ['post_code', 'country', 'state'].map((field) => valueAt(record, field) ?? '');
    if (errors.length > 0 || !/^\d{3,5}(?:-\d{4})?$/.test(code!)) return;
    const where = country === '' && zeroStates.test(state!) ? 'US' : country!;
    const codes = this.#postCodes.get(where) ?? { isFull: /^u\.?s/i.test(where), short: [] };
    this.#postCodes.set(where, codes);
    if (/^\d{5}/.test(code!)) codes.isFull = true;
    else codes.short.push(line);
  }

  /** The notices since they were last taken. */
  take(): FileNotice[] {
    const short = [...this.#postCodes.values()].flatMap((codes) => (codes.isFull ? codes.short : []));
    for (const line of short.sort((one, other) => one - other)) this.add(lostZeros.kind, lostZeros.message, line);
    this.#postCodes.clear();
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Several rows for one subject are allowed, because the later row wins, but are often a mistake. */
  #isRepeated({ ids }: Row): boolean {
    if (ids.length < kinds[this.#kind].names.length) return false;
    // Only `join` makes a text of its own: a part of a text keeps the whole row in memory.
    const subject = [ids[0]![1], ids[1]?.[1]].join('\0');
    const isRepeated = this.#subjects.has(subject);
    if (!isRepeated && this.#kept <= maxKept) {
      this.#subjects.add(subject);
      this.#kept += subject.length + overhead;
    }
    return isRepeated;
  }
}
