import { isJsonObject, type JsonObject, type JsonValue, MalformedJson, parseJson, readJson } from '../domain/json.ts';
import { type CellType, type FileKind, kinds, typeOf } from './kinds.ts';
import type { Mapping } from './mapping.ts';
import { FileRefused } from './refused.ts';

/** Columns that only say what was wrong with a row when it was rejected; they are not read. */
export const noteColumns = { row: '_row', column: '_column', reason: '_reason', line: '_line' } as const;
/** A column that holds a whole record as JSON: a rejected line of NDJSON. */
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
};

/** A field's place in a record: its name, or the object that it is in and its name there. */
type Path = readonly [string] | readonly [string, string];

/** Only dots that part an object from its field count; deeper ones are the service's own business. */
function pathOf(kind: FileKind, field: string): Path {
  const dot = field.indexOf('.');
  return dot > 0 && typeOf(kind, field) ? [field.slice(0, dot), field.slice(dot + 1)] : [field];
}

/** How the cells of a file's rows become records. */
export type Columns = {
  used: readonly Column[];
  /** The cell with the whole record, where there is one. */
  recordAt: number | undefined;
  /** What every record has. */
  constants: readonly (readonly [Path, JsonValue])[];
  /** Said once, before anything is sent. */
  warnings: readonly string[];
};

/** @throws FileRefused where no row could be taken with such a header. */
export function columnsOf(header: readonly string[], kind: FileKind, mapping: Mapping | undefined): Columns {
  const names = header.map((name) => name.trim());
  const repeated = repeatedIn(names).filter((name) => name !== '');
  if (repeated.length > 0) throw new FileRefused(`The header names ${list(repeated)} twice: which one counts?`);
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
    used.push({ name, at, field, path, type: type ?? 'text', values: mapped?.values ?? new Map() });
  }
  return { used, unknown };
}

function checkFields(fields: string[], names: string[], kind: FileKind): void {
  const twice = repeatedIn(fields);
  if (twice.length > 0) throw new FileRefused(`Two columns fill ${list(twice)}: which one counts?`);
  const lacking = kinds[kind].lacking(new Set(fields));
  if (lacking === undefined) return;
  const shown = names.length > 12 ? [...names.slice(0, 12), '…'] : names;
  throw new FileRefused(`The file has no column for ${lacking}. Its header is: ${shown.join(', ')}.`);
}

function warningsOf(names: string[], unknown: string[], kind: FileKind, mapping: Mapping | undefined): string[] {
  const nameless = names.flatMap((name, at) => (name === '' ? [at + 1] : []));
  const absent = [...(mapping?.columns.keys() ?? [])].filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `column ${name} is ${kinds[kind].unknown.warning}`),
    ...(nameless.length > 0 ? [`column ${nameless.join(', ')} has no name; left out`] : []),
    ...(absent.length > 0 ? [`the mapping names ${list(absent)}, which the file has not`] : []),
  ];
}

/** All but the first of equal ones; a header may name some ten thousand columns. */
function repeatedIn(names: readonly string[]): string[] {
  const before = new Set<string>();
  return names.filter((name) => before.size === before.add(name).size);
}

const list = (names: readonly string[]): string => [...new Set(names)].join(', ');

/** The record that the cells make. An empty cell is an absent field. */
export function recordOfCells(cells: readonly string[], { used, constants }: Columns): JsonObject {
  const fields = [...constants];
  for (const { at, path, type, values } of used) {
    const cell = cells[at] ?? '';
    const value = cell === '' ? cell : cellValue(values.get(cell) ?? cell, type);
    if (value !== '') fields.push([path, value]);
  }
  return nested(fields);
}

/** The record of a line of JSON; a mapping renames its keys. @throws MalformedJson */
export function recordOfJson(text: string, kind: FileKind, mapping: Mapping | undefined): JsonValue {
  const value = parseJson(text);
  if (!mapping || !isJsonObject(value)) return value;
  const named = Object.entries(value).flatMap(([name, given]): [Path, JsonValue][] => {
    const mapped = mapping.columns.get(name);
    if (!mapped) return [[[name], given]];
    const meant = typeof given === 'string' ? (mapped.values.get(given) ?? given) : given;
    return mapped.field === null ? [] : [[pathOf(kind, mapped.field), meant]];
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
    // `fromEntries` defines properties, so that a key called `__proto__` is data like any other.
    outer.set(head, Object.fromEntries([...(isJsonObject(given) ? Object.entries(given) : []), ...entries]));
  }
  return Object.fromEntries(outer);
}

const flags: Record<string, boolean> = {
  true: true,
  t: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  f: false,
  no: false,
  n: false,
  0: false,
};
const jsonInteger = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The cell as the field's type; what cannot be read stays a text, and the API's own rule says what is wrong. */
function cellValue(cell: string, type: CellType): JsonValue {
  if (type === 'text') return cell;
  const word = cell.trim();
  if (type === 'flag') return flags[word.toLowerCase()] ?? word;
  if (type === 'integer') return jsonInteger.test(word) ? readJson(word) : word;
  return type === 'object' && word.startsWith('{') ? (jsonOrText(word) as JsonValue) : word;
}

function jsonOrText(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof MalformedJson) return text;
    throw error;
  }
}
