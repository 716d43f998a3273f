import { basename } from 'node:path';
import type { FileLayout, FilePosition } from '../domain/drop-box/file-position.ts';
import { maxRecordsPerChunk } from '../domain/imports/batch.ts';
import { isJsonObject } from '../domain/values/json.ts';
import { type Bytes, decoded, FileRefused, from, gunzipped, isGzip, peek } from './bytes.ts';
import { columnsOf, jsonOr, type Mapping } from './columns.ts';
import { type FileKind, typeOf } from './kinds.ts';
import type { SourceRecord } from './lines.ts';
import { RecordReader } from './records.ts';
import { type Notice, Repeats, scientificNotices } from './repeats.ts';
import { csvRows, ndjsonRows, type Row, type RowReader, safe } from './rows.ts';

export type ReadOptions = {
  kind: FileKind;
  /** The name of the file. A known file extension decides the format. */
  name?: string;
  mapping?: Mapping | undefined;
  /**
   * The position at which to continue, from a chunk of an earlier reading. The bytes then begin at `place.offset`.
   * Those of a gzip file begin at the start of the file.
   */
  place?: FilePosition | undefined;
  /** Asked after every few megabytes, because they may form no chunk. If false, reading ends with `OutOfTime`. */
  hasTime?: () => boolean;
  /** Called with the error if the code fails on a row. The row is then a rejected row. */
  onRowFailure?: ((error: unknown) => void) | undefined;
};

/** There was no time to read to the end of the next chunk. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Up to 500 consecutive rows, valid and invalid. The same file always gives the same chunks. */
export type FileChunk = {
  index: number;
  rows: Row[];
  notices: Notice[];
  /** Where the next chunk begins. */
  next: FilePosition;
  /** True for the last chunk of the file. */
  isLast: boolean;
};

export type OpenedFile = {
  layout: FileLayout;
  /** Shown once, before any record is sent. Empty if reading continues in the middle of the file. */
  warnings: readonly string[];
  /** @throws FileRefused during reading, if a later part of the file is damaged; OutOfTime */
  chunks: AsyncIterable<FileChunk>;
};

/**
 * Most bytes of the rows of a chunk, unless a single row is larger. The larger of a row's JSON and its text counts:
 * several chunks are in memory at a time, and of an invalid or mostly empty row only the text is large.
 */
const maxChunkBytes = 1_000_000;
/** Bytes to read before the header is parsed. */
const headBytes = 256 * 1024;
/** Most bytes of the header as JSON. Stored progress contains it several times, and an item holds at most 400 KB. */
const maxHeaderBytes = 64 * 1024;

/**
 * Reads a file of accounts or contacts as chunks of rows. The memory does not grow with the size of the file.
 * @throws FileRefused if nothing of the file can be used
 */
export async function openFile(bytes: Bytes, options: ReadOptions): Promise<OpenedFile> {
  const { kind, mapping, place } = options;
  const { content, start, warnings } = place
    ? { content: contentFrom(bytes, place, options.hasTime), start: place, warnings: [] }
    : await begin(bytes, options);
  const { layout } = start;
  const chunksWith = (rowOf: RowReader) => chunksOf(content, start, kind, safe(rowOf, options.onRowFailure));
  if (layout.format === 'ndjson') return { layout, warnings: [], chunks: chunksWith(ndjsonRows(kind, mapping)) };
  const columns = columnsOf(layout.header, kind, mapping);
  const chunks = chunksWith(csvRows(kind, layout.header, columns, mapping));
  return { layout, warnings: place ? [] : [...columns.warnings, ...warnings], chunks };
}

async function* contentFrom(
  bytes: Bytes,
  { layout, offset }: FilePosition,
  hasTime: ReadOptions['hasTime'],
): AsyncGenerator<Buffer> {
  const { bytes: all } = await peek(bytes, 0);
  yield* layout.gzip ? from(whileTime(gunzipped(all), hasTime), offset) : whileTime(all, hasTime);
}

/** A few kilobytes of gzip can be gigabytes of blank lines. */
const bytesPerLook = 4_000_000;

/** @throws OutOfTime */
async function* whileTime(bytes: AsyncIterable<Buffer>, hasTime: ReadOptions['hasTime']): AsyncGenerator<Buffer> {
  let unlooked = 0;
  for await (const part of bytes) {
    yield part;
    unlooked += part.length;
    if (unlooked < bytesPerLook) continue;
    if (hasTime?.() === false) throw new OutOfTime();
    unlooked = 0;
  }
}

async function begin(bytes: Bytes, options: ReadOptions) {
  const raw = await peek(bytes, 2);
  const gzip = isGzip(raw.head);
  const { head, bytes: content } = await peek(gzip ? gunzipped(raw.bytes) : raw.bytes, headBytes);
  const start = startOf(head, gzip, options);
  const hasNoRows = head.length < headBytes && isBlank(head.subarray(start.offset));
  const rows = from(whileTime(content, options.hasTime), start.offset);
  return { content: rows, start, warnings: hasNoRows ? ['the file has no rows'] : [] };
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The position of the first row and the layout of the file. */
function startOf(head: Buffer, gzip: boolean, { name = '', kind }: ReadOptions): FilePosition {
  const offset = head.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const text = head.subarray(offset);
  refuseNonText(text);
  const newline = !text.includes(10) && text.includes(13) ? 13 : 10;
  const layout: FileLayout = { format: formatOf(text, name, kind), gzip, newline, delimiter: ',', header: [] };
  const start = { layout, offset, line: 1, chunk: 0 };
  return layout.format === 'ndjson' ? start : afterHeader(text, start);
}

/** The first bytes of `.xlsx` and other zip files, and of `.xls`. */
const archives = [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];

function refuseNonText(head: Buffer): void {
  if (archives.some((magic) => head.subarray(0, magic.length).equals(magic))) {
    throw new FileRefused('The file is an Excel workbook or an archive. Save the sheet as CSV UTF-8.');
  }
  if (isBlank(head)) throw new FileRefused('The file is empty.');
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16 || head[0] === 0 || head[1] === 0) {
    throw new FileRefused('The file is UTF-16 or not a text file. Save it as UTF-8.');
  }
}

const endings: Record<string, FileLayout['format']> = { csv: 'csv', tsv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson' };

/** The format by the file extension, or else by the first character. */
function formatOf(head: Buffer, name: string, kind: FileKind): FileLayout['format'] {
  const ending = basename(name.toLowerCase(), '.gz').split('.').at(-1) ?? '';
  const first = head.subarray(0, 1000).toString('latin1').trimStart()[0];
  if (first === '[')
    throw new FileRefused('The file is a JSON array. Write one JSON object per line instead (NDJSON).');
  const format = endings[ending] ?? (first === '{' ? 'ndjson' : 'csv');
  if (format === 'ndjson') refuseDocument(head, kind);
  return format;
}

/**
 * A file that is one JSON document, over several lines or with the records in an array: as NDJSON, each of its lines
 * would be a rejected row.
 */
function refuseDocument(head: Buffer, kind: FileKind): void {
  const [first = '', ...others] = head
    .toString('utf8')
    .trim()
    .split(/\r\n|[\r\n]/);
  // A line that is only cut off is an invalid row.
  const isDocument = others.length > 0 ? /^\{(?:.*([{[]|[^}\]\s]\s*,))?\s*$/.test(first) : holdsRecords(first, kind);
  if (!isDocument) return;
  throw new FileRefused('The file is one JSON document. Write one JSON object per line instead (NDJSON).');
}

/** True for `{"accounts": [{…}]}`: no field of a record, but an array of objects. */
function holdsRecords(line: string, kind: FileKind): boolean {
  const value = jsonOr(line, null);
  if (!isJsonObject(value)) return false;
  const isRecord = Object.keys(value).some((name) => typeOf(kind, name) !== undefined || name.includes('.'));
  return !isRecord && Object.values(value).some((each) => Array.isArray(each) && each.some(isJsonObject));
}

function afterHeader(head: Buffer, start: FilePosition): FilePosition {
  const { layout } = start;
  const delimiter = delimiterOf(head, layout.newline);
  const reader = new RecordReader({ ...start, layout: { ...layout, delimiter } }, undefined);
  const header = reader.push(head).next().value ?? reader.finish().next().value;
  if (!header?.cells || header.end > headBytes || bytesOf(header.cells) > maxHeaderBytes) {
    throw new FileRefused(`The header cannot be read: ${header?.error ?? 'it is longer than 64 KB'}.`);
  }
  if (/^"?sep=[^a-z]?"?\s*$/i.test(header.text)) {
    throw new FileRefused(`The first line is ${header.text.trim()}, which only Excel reads. Delete this line.`);
  }
  if (header.isForeign) throw new FileRefused('The header is not UTF-8. Save the file as UTF-8.');
  return {
    ...start,
    layout: { ...layout, delimiter, header: header.cells },
    offset: header.end,
    line: header.nextLine,
  };
}

const bytesOf = (cells: readonly string[]): number => Buffer.byteLength(JSON.stringify(cells));

/** The delimiter that occurs most often in the first line, or a comma. */
function delimiterOf(head: Buffer, newline: number): string {
  const end = head.indexOf(newline);
  const { text } = decoded(head.subarray(0, end === -1 ? undefined : end));
  const count = (delimiter: string) => text.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

async function* chunksOf(
  content: AsyncIterable<Buffer>,
  start: FilePosition,
  kind: FileKind,
  rowOf: RowReader,
): AsyncGenerator<FileChunk> {
  const cutter = new Cutter(start, kind);
  for await (const record of recordsOf(content, start)) {
    const chunk = cutter.add(rowOf(record), record);
    if (chunk) yield chunk;
  }
  const last = cutter.finish();
  if (last) yield { ...last, isLast: true };
}

async function* recordsOf(content: AsyncIterable<Buffer>, place: FilePosition): AsyncGenerator<SourceRecord> {
  const reader = new RecordReader(place, place.layout.header.length);
  for await (const part of content) yield* reader.push(part);
  yield* reader.finish();
}

/**
 * Groups rows into chunks by their number and size only, so that fixing one row does not move others to another chunk.
 */
class Cutter {
  readonly #kind: FileKind;
  readonly #repeats: Repeats;
  #next: FilePosition;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(start: FilePosition, kind: FileKind) {
    this.#next = start;
    this.#kind = kind;
    this.#repeats = new Repeats(kind);
  }

  /** Adds a row. Returns the chunk that ends before this row, if there is one. */
  add(row: Row, { end, nextLine }: SourceRecord): FileChunk | undefined {
    const size = Math.max(row.size, row.text.length) + 1;
    const isFull = this.#rows.length === maxRecordsPerChunk || this.#bytes + size > maxChunkBytes;
    const chunk = isFull ? this.finish() : undefined;
    this.#rows.push(row);
    this.#bytes += size;
    this.#next = { ...this.#next, offset: end, line: nextLine };
    return chunk;
  }

  /** Returns the rows that were added since the last chunk. */
  finish(): FileChunk | undefined {
    if (this.#rows.length === 0) return undefined;
    const rows = this.#rows;
    const index = this.#next.chunk;
    this.#next = { ...this.#next, chunk: index + 1 };
    this.#rows = [];
    this.#bytes = 0;
    const notices = rows.flatMap((row) => [
      ...scientificNotices(this.#kind, row),
      ...[this.#repeats.look(row) ?? []].flat(),
    ]);
    return { index, rows, notices, next: this.#next, isLast: false };
  }
}
