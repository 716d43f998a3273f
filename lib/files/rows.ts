import { type JsonObject, MalformedJson } from '../domain/values/json.ts';
import { type ErrorDetail, internalFailure, namesInPointer } from '../domain/values/problem.ts';
import { type Columns, type Mapping, type ReadRecord, recordOfCells, recordOfJson } from './columns.ts';
import { foreignReason, holdsForeignBytes, nulReason, probableText, unreadableReason } from './encoding.ts';
import { numberFormat, numberForms } from './formats.ts';
import { type FileKind, identityIn, isWordForNothing, kinds, typeOf, valueAt } from './kinds.ts';
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
  /** The fields whose value the mapping says, of those that it makes empty or a word for nothing. */
  said: ReadonlySet<string>;
  /** What identifies the subject of the row. */
  ids: readonly (readonly [field: string, value: string])[];
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

/** How the rows of a file are read. */
export type RowOptions = { kind: FileKind; mapping?: Mapping | undefined; encoding?: string | undefined };

/** Makes a reader of CSV rows. It validates records by the rules of the API. */
export function csvRows(header: readonly string[], columns: Columns, options: RowOptions): RowReader {
  const nameOf = new Map(columns.used.map(({ field, name }) => [field, name]));
  const json = ndjsonRows(options);
  return (source) => {
    const given = source.cells && fitToWidth(source.cells, header.length);
    if (!given) return invalid(source, source.error ?? widthReason(source.cells?.length ?? 0, header.length));
    const cells = source.isForeign ? given.map(probableText) : given;
    if (columns.recordAt !== undefined) return { ...json({ ...source, text: given[columns.recordAt]! }), cells };
    const errors = textErrors(source, given, header, options.encoding);
    if (errors.length > 0) return { ...invalid(source), cells, errors };
    return validated(options.kind, source, recordOfCells(cells, columns), cells, nameOf);
  };
}

const widthReason = (cells: number, width: number): string =>
  `has ${cells} cells; the header has ${width}. ${
    cells < width
      ? 'Write the delimiters of empty cells too, and put a cell with a line break in quotes'
      : 'Put a cell that contains the delimiter in quotes'
  }`;

/** Makes a reader of NDJSON lines. It validates records by the rules of the API. */
export function ndjsonRows({ kind, mapping, encoding }: RowOptions): RowReader {
  const nameOf = new Map([...(mapping?.columns ?? [])].map(([name, { field }]) => [field ?? '', name]));
  return (source) => {
    const isUnreadable = encoding !== undefined && source.text.includes('\ufffd');
    const foreign = isUnreadable ? unreadableReason(encoding) : source.isForeign ? foreignReason : undefined;
    const error = source.error ?? foreign;
    if (error) return invalid(source, error);
    const read = jsonRecord(source.text, kind, mapping);
    if (typeof read === 'string') return invalid(source, read);
    return validated(kind, source, read, undefined, nameOf);
  };
}

/** The record, or an error message. */
function jsonRecord(text: string, kind: FileKind, mapping: Mapping | undefined): ReadRecord | string {
  try {
    return recordOfJson(text, kind, mapping) ?? 'must be one JSON object';
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return isSeveralObjects(text)
      ? 'has several JSON objects, with }{ between them: write each on a line of its own'
      : `is not a JSON object: ${error.message}`;
  }
}

/** True for `{…}{…}`. @param text no JSON */
export const isSeveralObjects = (text: string): boolean => /^\s*\{.*\}\s*,?\s*\{/s.test(text);

function validated(
  kind: FileKind,
  source: SourceRecord,
  { record, errors: unread, said }: ReadRecord,
  cells: readonly string[] | undefined,
  nameOf: ReadonlyMap<string, string>,
): Row {
  const size = Buffer.byteLength(JSON.stringify(record));
  if (size > maxRecordBytes) return { ...invalid(source, 'is larger than 1 MB'), cells };
  const ids = identityIn(kind, record);
  const errors: RowError[] = [...unread];
  for (const [field, value] of ids) {
    if (isWordForNothing(value) && !said.has(field))
      errors.push({ column: nameOf.get(field) ?? field, reason: wordReason });
  }
  for (const { path, message } of kinds[kind].errors(record)) {
    const field = fieldOf(path);
    const column = nameOf.get(field) ?? field;
    const isUnread = unread.some((error) => error.column === column);
    if (!isUnread) errors.push({ column, reason: message + remedyOf(typeOf(kind, field), record, field) });
  }
  return { line: source.line, text: source.text, cells, record, ids, said, size, errors };
}

const wordReason =
  'is a word for nothing, which cannot identify anything: leave the cell empty, or say what the word means by "values" of a map';

/** The API has one notation, and the file may have another. */
function remedyOf(type: ReturnType<typeof typeOf>, record: JsonObject, field: string): string {
  const text = valueAt(record, field) ?? '';
  if (type === 'date' && !/^\d{4}-\d\d-\d\d/.test(text)) return dateRemedy;
  if ((type !== 'decimal' && type !== 'integer') || /^[-+]?\d+$/.test(text)) return '';
  const form = numberForms.find((each) => numberFormat(each)!.read(text) !== undefined);
  return form === undefined ? '' : `; name how the file writes numbers, as --numbers ${JSON.stringify(form)}`;
}

const dateRemedy = '; if the file writes dates otherwise, name their format, as --dates MM/DD/YYYY';

const invalid = ({ line, text, isForeign }: SourceRecord, reason = ''): Row => {
  const shown = isForeign ? probableText(text) : text;
  const errors = [
    { column: '', reason: isForeign && reason !== foreignReason ? `${reason}; it ${foreignReason}` : reason },
  ];
  return { line, text: shown, cells: undefined, record: {}, ids: [], said: nothingSaid, size: 0, errors };
};

const nothingSaid: ReadonlySet<string> = new Set();

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
  encoding: string | undefined,
): RowError[] {
  const holdsNul = text.includes('\0');
  const isUnreadable = encoding !== undefined && text.includes('\ufffd');
  if (!isForeign && !holdsNul && !isUnreadable) return [];
  return cells.flatMap((cell, at) => {
    const reasons = [
      ...(isForeign && holdsForeignBytes(cell) ? [foreignReason] : []),
      ...(isUnreadable && cell.includes('\ufffd') ? [unreadableReason(encoding)] : []),
      ...(holdsNul && cell.includes('\0') ? [nulReason] : []),
    ];
    return reasons.map((reason) => ({ column: header[at]!.trim(), reason }));
  });
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
