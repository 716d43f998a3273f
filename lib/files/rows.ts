import { isJsonObject, type JsonObject, type JsonValue, MalformedJson } from '../domain/values/json.ts';
import { type ErrorDetail, internalFailure, namesInPointer } from '../domain/values/problem.ts';
import { foreignReason, holdsForeignBytes, nulReason } from './bytes.ts';
import { type Columns, type Mapping, recordOfCells, recordOfJson, withDecimalPoint } from './columns.ts';
import { type FileKind, kinds, typeOf, valueAt } from './kinds.ts';
import { maxRecordBytes, type SourceRecord } from './lines.ts';

/** One row of a file: a record that is valid for the API, or its errors. */
export type Row = {
  /** The line on which the row begins, from 1. The header of a CSV file is line 1. */
  line: number;
  /** The text as it is in the file. */
  text: string;
  /** The cells of a CSV row, if it has as many as the header. */
  cells: readonly string[] | undefined;
  record: JsonObject;
  /** Size of the record as JSON, in bytes. */
  size: number;
  errors: readonly RowError[];
};

export type RowReader = (record: SourceRecord) => Row;

/** The same reader, but a row that the code fails on is a rejected row: every attempt would fail on it. */
export const safe =
  (rowOf: RowReader, onFailure: (error: unknown) => void = () => {}): RowReader =>
  (source) => {
    try {
      return rowOf(source);
    } catch (error) {
      onFailure(error);
      return invalid(source, internalFailure);
    }
  };

/** Makes a reader of CSV rows. It validates records by the rules of the API. */
export function csvRows(kind: FileKind, header: readonly string[], columns: Columns, mapping?: Mapping): RowReader {
  const nameOf = new Map(columns.used.map(({ field, name }) => [field, name]));
  const json = ndjsonRows(kind, mapping);
  return (source) => {
    const cells = source.cells && fitToWidth(source.cells, header.length);
    if (!cells) {
      return invalid(source, source.error ?? `has ${source.cells?.length} cells; the header has ${header.length}`);
    }
    if (columns.recordAt !== undefined) return { ...json({ ...source, text: cells[columns.recordAt]! }), cells };
    const errors = textErrors(source, cells, header);
    if (errors.length > 0) return { ...invalid(source), cells, errors };
    return validated(kind, source, { cells, record: recordOfCells(cells, columns), nameOf });
  };
}

/** Makes a reader of NDJSON lines. It validates records by the rules of the API. */
export function ndjsonRows(kind: FileKind, mapping?: Mapping): RowReader {
  const nameOf = new Map([...(mapping?.columns ?? [])].map(([name, { field }]) => [field ?? '', name]));
  return (source) => {
    const error = source.error ?? (source.isForeign ? foreignReason : undefined);
    if (error) return invalid(source, error);
    const record = jsonRecord(source.text, kind, mapping);
    if (typeof record === 'string') return invalid(source, record);
    return validated(kind, source, { cells: undefined, record, nameOf });
  };
}

/** The record, or an error message. */
function jsonRecord(text: string, kind: FileKind, mapping: Mapping | undefined): JsonObject | string {
  let value: JsonValue;
  try {
    value = recordOfJson(text, kind, mapping);
  } catch (error) {
    if (error instanceof MalformedJson) return `is not a JSON object: ${error.message}`;
    throw error;
  }
  return isJsonObject(value) ? value : 'must be one JSON object';
}

type UncheckedRow = { cells: readonly string[] | undefined; record: JsonObject; nameOf: ReadonlyMap<string, string> };

function validated(kind: FileKind, source: SourceRecord, { cells, record, nameOf }: UncheckedRow): Row {
  const size = Buffer.byteLength(JSON.stringify(record));
  if (size > maxRecordBytes) return { ...invalid(source, 'is larger than 1 MB'), cells };
  const errors = kinds[kind].errors(record).map(({ path, message }) => {
    const field = fieldOf(path);
    const remedy = typeOf(kind, field) === 'decimal' && isWithComma(valueAt(record, field)) ? commaRemedy : '';
    return { column: nameOf.get(field) ?? field, reason: message + remedy };
  });
  return { line: source.line, text: source.text, cells, record, size, errors };
}

/** The API takes a decimal point only, and a file with commas needs an option. */
const isWithComma = (cell = ''): boolean => cell.includes(',') && withDecimalPoint(cell.trim()) !== cell.trim();

const commaRemedy = '; for a decimal comma, use --decimal-comma of npm run import or drop expect';

const invalid = ({ line, text }: SourceRecord, reason = ''): Row => {
  return { line, text, cells: undefined, record: {}, size: 0, errors: [{ column: '', reason }] };
};

/**
 * Removes empty cells after the last column, which spreadsheets leave. `undefined` if the row does not fit the header.
 */
function fitToWidth(cells: readonly string[], width: number): readonly string[] | undefined {
  if (cells.length === width) return cells;
  return cells.length > width && cells.slice(width).every((cell) => cell === '') ? cells.slice(0, width) : undefined;
}

function textErrors(
  { text, isForeign }: SourceRecord,
  cells: readonly string[],
  header: readonly string[],
): RowError[] {
  const holdsNul = text.includes('\0');
  if (!isForeign && !holdsNul) return [];
  return cells.flatMap((cell, at) => [
    ...(isForeign && holdsForeignBytes(cell) ? [{ column: header[at]!.trim(), reason: foreignReason }] : []),
    ...(holdsNul && cell.includes('\0') ? [{ column: header[at]!.trim(), reason: nulReason }] : []),
  ]);
}

/** An error of a row. `column` has the name in the file, and is empty if the error concerns the whole row. */
export type RowError = { column: string; reason: string };

/** The dotted name of the field for a JSON Pointer that starts at the record. */
export const fieldOf = (path: string): string => namesInPointer(path).join('.');

const recordPath = /^\/(records|contacts)\/(\d+)(\/.*)?$/s;

/**
 * The index of the record in the request, and its error: `/contacts/3/meta_public` is an error of the fourth record.
 */
export function recordErrorOf({ path, message }: ErrorDetail): { at: number; error: RowError } | undefined {
  const [, , at, rest = ''] = recordPath.exec(path) ?? [];
  return at === undefined ? undefined : { at: Number(at), error: { column: fieldOf(rest), reason: message } };
}
