import { isJsonObject, type JsonObject, type JsonValue, MalformedJson, parseJson } from '../domain/values/json.ts';
import { FileRefused } from './bytes.ts';
import type { Format } from './formats.ts';
import { type CellType, type FileKind, isWordForNothing, kinds, knownField, typeOf } from './kinds.ts';

/** How columns with other names become fields of the API. */
export type Mapping = {
  columns: ReadonlyMap<string, MappedColumn>;
  /** Fields that are set in every record. Values are written as in a cell. */
  constants: ReadonlyMap<string, string>;
  /** How the whole file writes dates and numbers; as the API if it is not said. */
  dates?: Format | undefined;
  numbers?: Format | undefined;
  encoding?: string | undefined;
  delimiter?: string | undefined;
  /** The last line is no row if its first cell begins so. A cell, counted from 1, has the number of rows. */
  trailer?: { prefix: string; count: number } | undefined;
};

export type MappedColumn = {
  /** Dotted name of the field; `null` ignores the column. */
  field: string | null;
  /** Replacements for values of the column, in the notation of the API. Other values are kept. */
  values: ReadonlyMap<string, string>;
  /** How the column writes dates or numbers. */
  format?: Format | undefined;
};

/** Columns that the service adds to a file of rejected rows. They are ignored when the file is read again. */
export const noteColumns = { row: '_row', column: '_column', reason: '_reason', line: '_line' } as const;
/** A column with a whole record as JSON. Files of rejected NDJSON lines have it. */
export const recordColumn = '_json';

const notes: ReadonlySet<string> = new Set(Object.values(noteColumns));

/** One column of a CSV and the field that it fills. */
type Column = {
  name: string;
  at: number;
  field: string;
  path: Path;
  type: CellType;
  values: ReadonlyMap<string, string>;
  format: Format | undefined;
};

/** The path of a field in a record: its name, or the name of an object and the name of the field in it. */
type Path = readonly [string] | readonly [string, string];

/** Splits only at the dot between an object and its field. The service flattens deeper levels itself. */
function pathOf(kind: FileKind, field: string): Path {
  const dot = field.indexOf('.');
  return dot > 0 && typeOf(kind, field) ? [field.slice(0, dot), field.slice(dot + 1)] : [field];
}

/** How the cells of a row become a record. */
export type Columns = {
  used: readonly Column[];
  /** Index of the column with the whole record, if the file has one. */
  recordAt: number | undefined;
  /** Fields that are set in every record. */
  constants: readonly (readonly [Path, JsonValue])[];
  /** Shown once, before any record is sent. */
  warnings: readonly string[];
  /** Columns that are found although their names are written otherwise. */
  renamed: readonly { name: string; field: string }[];
};

/** The field that a column of this name fills. `null` for none. */
export function fieldOfColumn(name: string, kind: FileKind, mapping: Mapping | undefined): string | null {
  const mapped = mapping?.columns.get(name);
  if (mapped) return mapped.field;
  return notes.has(name) ? null : (knownField(kind, name) ?? name);
}

/** @throws FileRefused if no row with this header can be valid */
export function columnsOf(header: readonly string[], kind: FileKind, mapping: Mapping | undefined): Columns {
  const names = header.map((name) => name.trim());
  requireHeader(names, kind, mapping);
  const repeated = repeatedIn(names).filter((name) => name !== '');
  if (repeated.length > 0)
    throw new FileRefused(
      `The header names ${quoted(repeated, names)} more than once. Rename or delete the other columns.`,
    );
  const recordAt = names.indexOf(recordColumn);
  const constants = constantsOf(kind, mapping);
  if (recordAt !== -1) return { used: [], recordAt, constants, warnings: [], renamed: [] };
  const { used, unknown } = usedColumns(names, kind, mapping);
  checkFields([...used.map(({ field }) => field), ...(mapping?.constants.keys() ?? [])], names, kind);
  const renamed = used.filter(({ name, field }) => name !== field && !mapping?.columns.has(name));
  return { used, recordAt: undefined, constants, warnings: warningsOf(names, unknown, kind, mapping), renamed };
}

const constantsOf = (kind: FileKind, mapping: Mapping | undefined) =>
  [...(mapping?.constants ?? [])].map(([field, text]): [Path, JsonValue] => {
    return [pathOf(kind, field), cellValue(text, typeOf(kind, field) ?? 'text')];
  });

/** How the values of a field are written. The key of an objective can have a date or a word. */
function formatOf(type: CellType | undefined, mapping: Mapping | undefined): Format | undefined {
  const dates = mapping?.dates;
  if (type === 'date') return dates;
  if (type === undefined) return dates && { ...dates, read: (text) => dates.read(text) ?? text };
  return type === 'decimal' || type === 'integer' ? mapping?.numbers : undefined;
}

function usedColumns(names: string[], kind: FileKind, mapping: Mapping | undefined) {
  const used: Column[] = [];
  const unknown: string[] = [];
  for (const [at, name] of names.entries()) {
    const mapped = mapping?.columns.get(name);
    const field = fieldOfColumn(name, kind, mapping);
    if (field === null || field === '') continue;
    const type = typeOf(kind, field);
    if (type === undefined) unknown.push(name);
    if (type === undefined && !kinds[kind].unknown.isSent) continue;
    const format = mapped?.format ?? formatOf(type, mapping);
    const values = mapped?.values ?? new Map();
    used.push({ name, at, field, path: pathOf(kind, field), type: type ?? 'word', values, format });
  }
  return { used, unknown };
}

/** Reports quote only what looks like a field name, because a first line without names has the data of a person. */
const likeField = /^[\p{L}_][\p{L}\p{N}_.[\] -]{0,63}$/u;

/** A file without a header line is the commonest mistake: what may be the data of a person is not quoted. */
function requireHeader(names: string[], kind: FileKind, mapping: Mapping | undefined): void {
  const isName = (name: string) =>
    notes.has(name) ||
    name === recordColumn ||
    mapping?.columns.has(name) ||
    knownField('accounts', name) !== undefined ||
    knownField('contacts', name) !== undefined;
  const missing = kinds[kind].missing(new Set(mapping?.constants.keys()));
  if (missing === undefined || names.some(isName)) return;
  const found = `The file has no column for ${missing}. None of its ${names.length} columns has the name of a field`;
  const remedy = names.length === 1 ? separatorRemedy(names[0]!, isName) : undefined;
  if (remedy) throw new FileRefused(`${found}. ${remedy}`);
  throw new FileRefused(
    isLikeData(names)
      ? `${found}: is the header line missing? If it is there, map its columns to fields with --map.`
      : `${found}: ${quoted(names, names)}. ${mapRemedy}`,
  );
}

const mapRemedy = 'Map its columns to fields with --map; npm run import -- <kind> --map-from <file> proposes a map.';

/** What is said of a file whose first line is one cell. */
function separatorRemedy(line: string, isName: (name: string) => boolean | undefined): string | undefined {
  for (const separator of new Set(line.replaceAll(/[\p{L}\p{N}_.\s-]/gu, ''))) {
    const cells = line.split(separator).map((cell) => cell.trim());
    if (!cells.some(isName) && !cells.every((cell) => likeField.test(cell))) continue;
    const shown = JSON.stringify(separator);
    return `They seem to be separated by ${shown}: name it in a map, as {"_delimiter": ${shown}}, and use --map.`;
  }
  return /\S {2,}\S/.test(line)
    ? 'Its lines seem to have a fixed width, without a delimiter. Export it as CSV; if it is one, map its columns with --map.'
    : undefined;
}

/** A digit first, or several, an email, a text twice, or only words such as `Jane`. */
const likeValue = /^[^\p{L}_]|\d{3}|@|[^\p{L}\p{N}_.[\] /()#&:-]/u;
const likeWord = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*$/u;
const nameWords =
  /id$|no$|nr$|num|name|date|type|code|mail|phone|city|street|addr|zip|state|country|acc|cust|prod|bal/i;

function isLikeData(names: readonly string[]): boolean {
  const filled = names.filter((name) => name !== '');
  if (filled.some((name) => likeValue.test(name)) || new Set(filled).size < filled.length) return true;
  return filled.every((name) => likeWord.test(name)) && !filled.some((name) => nameWords.test(name));
}

function checkFields(fields: string[], names: string[], kind: FileKind): void {
  const twice = repeatedIn(fields);
  if (twice.length > 0) throw new FileRefused(`More than one column fills ${list(twice)}. Keep one of them.`);
  const missing = kinds[kind].missing(new Set(fields));
  if (missing === undefined) return;
  const other = kind === 'accounts' ? 'contacts' : 'accounts';
  const isOther = kinds[other].missing(new Set(names.map((name) => knownField(other, name) ?? name))) === undefined;
  const remedy = `${isOther ? `If it is a file of ${other}, import it as ${other} (in the drop box: from the folder ${other}). Otherwise: ` : ''}${mapRemedy}`;
  throw new FileRefused(`The file has no column for ${missing}. Its header is: ${quoted(names, names)}. ${remedy}`);
}

function warningsOf(names: string[], unknown: string[], kind: FileKind, mapping: Mapping | undefined): string[] {
  const nameless = names.flatMap((name, at) => (name === '' ? [at + 1] : []));
  const absent = [...(mapping?.columns.keys() ?? [])].filter((name) => !names.includes(name));
  return [
    ...unknown.map(
      (name) => `${likeField.test(name) ? `column ${name}` : quoted([name], names)} is ${kinds[kind].unknown.warning}`,
    ),
    ...(nameless.length > 0 ? [`column ${nameless.join(', ')} has no name and is ignored`] : []),
    ...(absent.length > 0 ? [`the mapping names ${list(absent)}, but the file has no such column`] : []),
  ];
}

/** The names that occurred before. Takes linear time, because a header can have ten thousand columns. */
function repeatedIn(names: readonly string[]): string[] {
  const before = new Set<string>();
  return names.filter((name) => before.size === before.add(name).size);
}

const list = (names: readonly string[]): string => [...new Set(names)].join(', ');

/** Names of a header for a report. A name that does not look like one is shown as the number of its column. */
function quoted(shown: readonly string[], names: readonly string[]): string {
  const texts = shown.map((name) => (likeField.test(name) ? name : `column ${names.indexOf(name) + 1}`));
  return list(texts.length > mostShown ? [...texts.slice(0, mostShown), '…'] : texts);
}

const mostShown = 12;

type CellError = { column: string; reason: string };

/** A record, and why some of its cells could not be read. */
export type ReadRecord = {
  record: JsonObject;
  errors: readonly CellError[];
  /** The fields whose value the mapping says. */
  said: ReadonlySet<string>;
};

/** The record of a row. An empty cell is an absent field. */
export function recordOfCells(cells: readonly string[], { used, constants }: Columns): ReadRecord {
  const fields = [...constants];
  let errors = noErrors;
  let said = nothingSaid;
  for (const { name, field, at, path, type, format, values } of used) {
    const cell = cells[at] ?? '';
    if (cell === '') continue;
    const replaced = values.get(cell);
    if (replaced !== undefined && isUnusual(replaced)) said = new Set([...said, field]);
    const text = replaced ?? read(cell, format);
    const value = text === undefined ? '' : cellValue(text, type);
    if (text === undefined) errors = [...errors, { column: name, reason: format!.reason }];
    else if (value !== '') fields.push([path, value]);
  }
  return { record: nested(fields), errors, said };
}

const nothingSaid: ReadonlySet<string> = new Set();
const noErrors: readonly CellError[] = [];
const isUnusual = (value: string): boolean => value === '' || isWordForNothing(value);

/** The text in the notation of the API; `undefined` if it does not have the format. */
const read = (text: string, format: Format | undefined): string | undefined =>
  format && text.trim() !== '' ? format.read(text.trim()) : text;

/** The record of a line of JSON. A mapping renames its keys. @throws MalformedJson */
export function recordOfJson(text: string, kind: FileKind, mapping: Mapping | undefined): ReadRecord | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  if (!mapping) return { record: value, errors: [], said: nothingSaid };
  const errors: CellError[] = [];
  const said = new Set<string>();
  const named = Object.entries(value).flatMap(([name, given]): [Path, JsonValue][] => {
    const mapped = mapping.columns.get(name);
    const field = mapped ? mapped.field : name;
    if (field === null) return [];
    const path: Path = mapped ? pathOf(kind, field) : [name];
    if (typeof given !== 'string') return [[path, given]];
    const replaced = mapped?.values.get(given);
    if (replaced !== undefined) said.add(field);
    const type = typeOf(kind, field);
    const format = mapped?.format ?? formatOf(type, mapping);
    const text = replaced ?? read(given, format);
    if (text !== undefined) return [[path, format && type === 'integer' ? cellValue(text, type) : text]];
    errors.push({ column: name, reason: format!.reason });
    return [];
  });
  return { record: nested([...constantsOf(kind, mapping), ...named]), errors, said };
}

function nested(fields: readonly (readonly [Path, JsonValue])[]): JsonObject {
  const outer = new Map<string, JsonValue>();
  const inner = new Map<string, [string, JsonValue][]>();
  for (const [[head, name], value] of fields) {
    const entries = inner.get(head);
    if (name === undefined) outer.set(head, value);
    else if (entries) entries.push([name, value]);
    else inner.set(head, [[name, value]]);
  }
  for (const [head, entries] of inner) {
    const given = outer.get(head);
    // `fromEntries` defines properties, so a key such as `__proto__` is ordinary data.
    outer.set(head, Object.fromEntries([...(isJsonObject(given) ? Object.entries(given) : []), ...entries]));
  }
  return Object.fromEntries(outer);
}

const flags = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, false] as const),
]);
const jsonInteger = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * The cell as a value of the field's type. A value that does not parse stays a string, which validation then rejects.
 */
function cellValue(cell: string, type: CellType): JsonValue {
  if (type === 'text') return cell;
  const word = cell.trim();
  if (type === 'flag') return flags.get(word.toLowerCase()) ?? word;
  if (type === 'integer') return jsonInteger.test(word) ? jsonOr(word, word) : word;
  return type === 'object' && word.startsWith('{') ? jsonOr(word, word) : word;
}

/** The value of the text, or `otherwise` if the text is not JSON. */
export function jsonOr<Otherwise>(text: string, otherwise: Otherwise): JsonValue | Otherwise {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof MalformedJson) return otherwise;
    throw error;
  }
}
