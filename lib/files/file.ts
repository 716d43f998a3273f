import type { FileNotice } from '../domain/drop-box/file-notice.ts';
import type { FileLayout, FilePosition } from '../domain/drop-box/file-position.ts';
import { maxRecordsPerChunk } from '../domain/imports/batch.ts';
import { type Bytes, FileBroken, FileRefused, from, peek, withoutEndMarks } from './bytes.ts';
import { columnsOf, type Mapping } from './columns.ts';
import { encodingOf, transcoded } from './encoding.ts';
import { gunzipped, isGzip } from './gunzip.ts';
import { headBytes, refuseContainer, startOf } from './header.ts';
import type { FileKind } from './kinds.ts';
import type { SourceRecord } from './lines.ts';
import { fileMessages, isLikeTrailer, Notices } from './notices.ts';
import { RecordReader } from './records.ts';
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

/**
 * Up to 500 consecutive rows, valid and invalid. The same file always gives the same chunks. A file without rows has one
 * empty chunk.
 */
export type FileChunk = {
  index: number;
  rows: Row[];
  /** Of these rows, and in the last chunk of the whole file. */
  notices: FileNotice[];
  /** Where the next chunk begins. */
  next: FilePosition;
  /** True for the last chunk of the file. */
  isLast: boolean;
};

export type OpenedFile = {
  layout: FileLayout;
  /** Shown once, before any record is sent. Empty if reading continues in the middle of the file. */
  warnings: readonly string[];
  /** @throws FileBroken after the last chunk, if the file cannot be read further or is not whole; OutOfTime */
  chunks: AsyncIterable<FileChunk>;
};

/**
 * Most bytes of the rows of a chunk, unless a single row is larger. The larger of a row's JSON and its text counts:
 * several chunks are in memory at a time, and of an invalid or mostly empty row only the text is large.
 */
const maxChunkBytes = 1_000_000;

/**
 * Reads a file of accounts or contacts as chunks of rows. The memory does not grow with the size of the file.
 * @throws FileRefused if nothing of the file can be used
 */
export async function openFile(bytes: Bytes, options: ReadOptions): Promise<OpenedFile> {
  const { kind, mapping, place } = options;
  const { content, start, tail } = await contentOf(bytes, options);
  const { layout } = start;
  const isCsv = layout.format === 'csv';
  const columns = isCsv ? columnsOf(layout.header, kind, mapping) : undefined;
  const rowOptions = { kind, mapping, encoding: layout.encoding };
  const rowOf = columns ? csvRows(layout.header, columns, rowOptions) : ndjsonRows(rowOptions);
  const idField = columns?.used.find(({ field }) => field === 'unique_id' || field === 'contact.unique_id')?.field;
  const hasTrailer = isCsv && !isRejectedHeader(layout.header[0] ?? '');
  const reading = new Reading(start, new Notices(kind, idField), hasTrailer ? mapping?.trailer : undefined);
  if (!place && columns && columns.renamed.length > 0) reading.noteRenamed(columns.renamed);
  const chunks = chunksOf(content, reading, safe(rowOf, options.onRowFailure), tail);
  return { layout, warnings: place ? [] : (columns?.warnings ?? []), chunks };
}

/** What follows the data of a compressed file is known only at its end. */
type Tail = { isNoted: boolean };

/** The rows of the file as UTF-8, from a position on. @param length at least so many bytes are read first */
export async function contentOf(bytes: Bytes, { kind, name = '', mapping, place, hasTime }: ReadOptions) {
  const raw = await peek(bytes, 2);
  const tail: Tail = { isNoted: false };
  const gzip = place ? place.layout.gzip : isGzip(raw.head);
  const onTail = () => {
    tail.isNoted = true;
  };
  const plain = whileTime(gzip ? gunzipped(raw.bytes, { onTail }) : raw.bytes, hasTime);
  if (place) return { content: withoutEndMarks(rest(plain, place)), start: place, tail };
  const first = await peek(plain, headBytes);
  refuseContainer(first.head);
  // A file of rejected rows is written by the service, whatever the rejected file was.
  const isRejected = isRejectedHeader(first.head.subarray(0, 20).toString());
  const { encoding, mark } = encodingOf(first.head, isRejected ? undefined : mapping?.encoding);
  const decoded = encoding === undefined ? first.bytes : transcoded(first.bytes, encoding);
  const text = await peek(withoutEndMarks(decoded), headBytes);
  const layout = { gzip, ...(encoding === undefined ? {} : { encoding }) };
  const delimiter = isRejected ? undefined : mapping?.delimiter;
  const options = { kind, name, delimiter, failure: text.failure };
  const start = startOf(text.head, encoding === undefined ? mark : 0, layout, options);
  return { content: from(text.bytes, start.offset), start, tail };
}

/** The bytes from the position on. Those of a file that must be read from its beginning begin there. */
function rest(plain: AsyncIterable<Buffer>, { layout, offset }: FilePosition): AsyncIterable<Buffer> {
  if (layout.encoding !== undefined) return from(transcoded(plain, layout.encoding), offset);
  return layout.gzip ? from(plain, offset) : plain;
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

async function* chunksOf(
  content: AsyncIterable<Buffer>,
  reading: Reading,
  rowOf: RowReader,
  tail: Tail,
): AsyncGenerator<FileChunk> {
  if (reading.next.failure !== undefined) throw new FileBroken(reading.next.failure);
  const reader = new RecordReader(reading.next, reading.next.layout.header.length);
  let failure: FileRefused | undefined;
  try {
    for await (const part of content) {
      for (const record of reader.push(part)) {
        if (reading.take(record, rowOf)) yield* reading.chunks.splice(0);
      }
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    failure = error;
  }
  // The last line of a file that is cut off may be a part of a row.
  if (!failure) {
    for (const record of reader.finish()) {
      if (reading.take(record, rowOf)) yield* reading.chunks.splice(0);
    }
  }
  failure ??= reading.failureAtEnd(reader);
  if (tail.isNoted) reading.note('after_gzip');
  const last = reading.end(failure?.message);
  // Without rows, reading continued after the last chunk.
  if (last.index === 0 || last.rows.length > 0) yield { ...last, isLast: !failure };
  if (failure) throw new FileBroken(failure.message, { cause: failure });
}

const cutInQuotes =
  'The file ends inside quotes: it was cut off, or a quote is missing. The rows before that are imported. Copy the file again.';

/** In a header, they end lines: mainframes write U+0085 (NEL), some editors U+2028. */
const otherLineEnds = /[\v\f\u0085\u2028\u2029]/;
const oneLine =
  'The file is one line: it has other line ends than LF, CR LF or CR, such as U+0085. Convert them, and send the file again.';

const isRejectedHeader = (start: string): boolean => /^\ufeff?"?_row(?![\w ])/.test(start);

/** A line of hyphens, as some systems write under a header. */
const isHyphens = (cells: readonly string[]): boolean => {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return texts.some((cell) => cell.length > 1) && texts.every((cell) => /^-[-+]*$/.test(cell));
};

/**
 * Takes the records of a file, one after another, and makes chunks of rows of them: by their number and size only, so
 * that fixing one row does not move others to another chunk.
 */
class Reading {
  readonly #notices: Notices;
  readonly #trailer: Mapping['trailer'];
  readonly #header: readonly string[];
  /** The last record, if it can be the trailer. */
  #held: { record: SourceRecord; cells: readonly string[] } | undefined;
  #isUnderHeader: boolean;
  /** Lines that are no rows, and those of them after the last row. */
  #left = 0;
  readonly #leftSince: [kind: 'repeated_header' | 'hyphens', line: number][] = [];
  #rows: Row[] = [];
  #bytes = 0;
  next: FilePosition;
  /** Those that have ended. */
  readonly chunks: FileChunk[] = [];

  constructor(start: FilePosition, notices: Notices, trailer: Mapping['trailer']) {
    this.next = start;
    this.#notices = notices;
    this.#trailer = trailer;
    this.#header = start.layout.header.map((name) => name.trim());
    this.#isUnderHeader = start.rows === 0;
  }

  noteRenamed(renamed: readonly { name: string; field: string }[]): void {
    const fields = renamed.slice(0, 12).map(({ field }) => field);
    this.#notices.add('renamed_columns', `${fileMessages.renamed_columns}: ${fields.join(', ')}`);
  }

  note(kind: keyof typeof fileMessages, line?: number): void {
    this.#notices.add(kind, fileMessages[kind], line);
  }

  /** @returns true if chunks end before the record */
  take(record: SourceRecord, rowOf: RowReader): boolean {
    const before = this.#held?.record;
    const { cells } = record;
    this.#held = cells && this.#isTrailer(cells) ? { record, cells } : undefined;
    if (before) this.#add(before, rowOf);
    if (this.#held) return this.chunks.length > 0;
    const left = cells && this.#kindOfLeft(cells);
    this.#isUnderHeader = left === 'repeated_header';
    if (!left) this.#add(record, rowOf);
    else {
      this.#left += 1;
      this.#leftSince.push([left, record.line]);
    }
    return this.chunks.length > 0;
  }

  #isTrailer(cells: readonly string[]): boolean {
    return this.#trailer !== undefined && cells[0]!.trim().startsWith(this.#trailer.prefix);
  }

  #kindOfLeft(cells: readonly string[]): 'repeated_header' | 'hyphens' | undefined {
    const header = this.#header;
    const isHeader =
      cells.length === header.length &&
      cells[0]!.length >= header[0]!.length &&
      cells.every((cell, at) => cell === header[at] || cell.trim() === header[at]);
    if (isHeader) return 'repeated_header';
    return this.#isUnderHeader && isHyphens(cells) ? 'hyphens' : undefined;
  }

  #add(record: SourceRecord, rowOf: RowReader): void {
    const row = rowOf(record);
    const size = Math.max(row.size, row.text.length) + 1;
    const isFull = this.#rows.length === maxRecordsPerChunk || this.#bytes + size > maxChunkBytes;
    if (isFull && this.#rows.length > 0) this.chunks.push(this.finish());
    // Reading that continues at this chunk reads these lines again.
    this.#noteLeft();
    this.#notices.look(row);
    this.#rows.push(row);
    this.#bytes += size;
    this.next = { ...this.next, offset: record.end, line: record.nextLine, rows: this.next.rows + 1 };
  }

  #noteLeft(): void {
    if (this.#leftSince.length === 0) return;
    for (const [kind, line] of this.#leftSince.splice(0)) this.note(kind, line);
  }

  /** Returns the last chunk. @param failure why the file is not whole */
  end(failure: string | undefined): FileChunk {
    this.#noteLeft();
    const last = this.#rows.at(-1);
    if (!this.#trailer && last && isLikeTrailer(last)) this.note('trailer_row', last.line);
    if (failure !== undefined) this.next = { ...this.next, failure };
    return this.finish();
  }

  /** Why the file is not whole although it was read to its end. */
  failureAtEnd(reader: RecordReader): FileRefused | undefined {
    const { rows } = this.next;
    if (reader.isCut) this.note('cut_last_line', (this.#held?.record ?? this.#rows.at(-1))?.line);
    if (reader.endsInQuotes) return new FileRefused(cutInQuotes);
    const trailer = this.#trailerFailure();
    if (trailer) return new FileRefused(`${trailer} Its rows are imported. Ask for the whole file.`);
    if (rows > 0) return undefined;
    if (this.#left > 0) return new FileRefused('The file has lines under its header, but none of them is a row.');
    if (this.#header.some((name) => otherLineEnds.test(name))) return new FileRefused(oneLine);
    this.note('no_rows');
    return undefined;
  }

  #trailerFailure(): string | undefined {
    const { rows } = this.next;
    if (!this.#trailer) return undefined;
    const { prefix, count } = this.#trailer;
    if (!this.#held) return `The file has ${rows} rows, but no last line that begins with ${JSON.stringify(prefix)}.`;
    const cell = this.#held.cells[count - 1]?.trim() ?? '';
    const digits = /^0*(\d+)$/.exec(count === 1 ? cell.slice(prefix.length).trim() : cell)?.[1];
    if (digits === undefined)
      return `The file has ${rows} rows, but cell ${count} of its last line is not their number.`;
    return digits === String(rows) ? undefined : `The last line says ${digits} rows, but the file has ${rows}.`;
  }

  /** Returns the rows that were added since the last chunk. */
  finish(): FileChunk {
    const [rows, index] = [this.#rows, this.next.chunk];
    this.next = { ...this.next, chunk: index + 1 };
    this.#rows = [];
    this.#bytes = 0;
    return { index, rows, notices: this.#notices.take(), next: this.next, isLast: false };
  }
}
