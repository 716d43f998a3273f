import { isJsonObject, type JsonObject, type JsonValue, MalformedJson, parseJson } from '../domain/values/json.ts';
import { FileRefused } from './bytes.ts';
import { type CellType, type FileKind, kinds, typeOf } from './kinds.ts';

/** How columns with other names become fields of the API. */
export type Mapping = {
  columns: ReadonlyMap<string, MappedColumn>;
  /** Fields that are set in every record. Values are written as in a cell. */
  constants: ReadonlyMap<string, string>;
  /** Decimals in cells are written with a comma: `1 234,50`. */
  decimalComma?: boolean;
};

export type MappedColumn = {
  /** Dotted name of the field; `null` ignores the column. */
  field: string | null;
  /** Replacements for values of the column. Other values are kept. */
  values: ReadonlyMap<string, string>;
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
  decimalComma: boolean;
  values: ReadonlyMap<string, string>;
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
};

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
  if (recordAt !== -1) return { used: [], recordAt, constants, warnings: [] };
  const { used, unknown } = usedColumns(names, kind, mapping);
  checkFields([...used.map(({ field }) => field), ...(mapping?.constants.keys() ?? [])], names, kind);
  return { used, recordAt: undefined, constants, warnings: warningsOf(names, unknown, kind, mapping) };
}

const constantsOf = (kind: FileKind, mapping: Mapping | undefined) =>
  [...(mapping?.constants ?? [])].map(([field, text]): [Path, JsonValue] => {
    return [pathOf(kind, field), cellValue(text, typeOf(kind, field) ?? 'text')];
  });

function usedColumns(names: string[], kind: FileKind, mapping: Mapping | undefined) {
  const used: Column[] = [];
  const unknown: string[] = [];
  for (const [at, name] of names.entries()) {
    const mapped = mapping?.columns.get(name);
    const field = mapped ? mapped.field : name;
    if (field === null || field === '' || notes.has(name)) continue;
    const type = typeOf(kind, field);
    if (type === undefined) unknown.push(name);
    if (type === undefined && !kinds[kind].unknown.isSent) continue;
    const path = pathOf(kind, field);
    const decimalComma = type === 'decimal' && mapping?.decimalComma === true;
    used.push({ name, at, field, path, type: type ?? 'text', decimalComma, values: mapped?.values ?? new Map() });
  }
  return { used, unknown };
}

/** Reports quote only what looks like a field name, because a first line without names has the data of a person. */
const likeField = /^[\p{L}_][\p{L}\p{N}_.[\] -]{0,63}$/u;

/** A file without a header line is the commonest mistake: none of its first cells is quoted. */
function requireHeader(names: string[], kind: FileKind, mapping: Mapping | undefined): void {
  const isName = (name: string) =>
    notes.has(name) ||
    name === recordColumn ||
    mapping?.columns.has(name) ||
    typeOf('accounts', name) !== undefined ||
    typeOf('contacts', name) !== undefined;
  const missing = kinds[kind].missing(new Set(mapping?.constants.keys()));
  if (missing === undefined || names.some(isName)) return;
  throw new FileRefused(
    `The file has no column for ${missing}. None of its ${names.length} columns has the name of a field: is the header line missing?`,
  );
}

function checkFields(fields: string[], names: string[], kind: FileKind): void {
  const twice = repeatedIn(fields);
  if (twice.length > 0) throw new FileRefused(`More than one column fills ${list(twice)}. Keep one of them.`);
  const missing = kinds[kind].missing(new Set(fields));
  if (missing === undefined) return;
  throw new FileRefused(`The file has no column for ${missing}. Its header is: ${quoted(names, names)}.`);
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

/** The record of a row. An empty cell is an absent field. */
export function recordOfCells(cells: readonly string[], { used, constants }: Columns): JsonObject {
  const fields = [...constants];
  for (const { at, path, type, decimalComma, values } of used) {
    const cell = cells[at] ?? '';
    const text = values.get(cell) ?? cell;
    const value = cell === '' ? cell : cellValue(decimalComma ? withDecimalPoint(text.trim()) : text, type);
    if (value !== '') fields.push([path, value]);
  }
  return nested(fields);
}

/** The record of a line of JSON. A mapping renames its keys. @throws MalformedJson */
export function recordOfJson(text: string, kind: FileKind, mapping: Mapping | undefined): JsonValue {
  const value = parseJson(text);
  if (!mapping || !isJsonObject(value)) return value;
  const named = Object.entries(value).flatMap(([name, given]): [Path, JsonValue][] => {
    const mapped = mapping.columns.get(name);
    if (!mapped) return [[[name], given]];
    const value = typeof given === 'string' ? (mapped.values.get(given) ?? given) : given;
    return mapped.field === null ? [] : [[pathOf(kind, mapped.field), value]];
  });
  return nested([...constantsOf(kind, mapping), ...named]);
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

/** Groups of three digits, separated by a point, a space or one of the spaces that spreadsheets write. */
const grouped = /^[+-]?\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d+)?$/;
const plain = /^[+-]?\d+,\d+$/;

/**
 * A decimal with a comma in the notation of the API: `1 234,50`, `1.234,50` and `1234,50` become `1234.50`. Other texts
 * are unchanged.
 */
export function withDecimalPoint(word: string): string {
  if (!grouped.test(word) && !plain.test(word)) return word;
  return word.replaceAll(/[. \u00a0\u202f]/g, '').replace(',', '.');
}
