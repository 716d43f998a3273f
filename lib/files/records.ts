import { CsvReader } from './csv.ts';
import { type Line, LineReader, lineRecord, type SourceRecord } from './lines.ts';

/** Reads records from a stream of bytes. Skips blank records. */
export class RecordReader {
  readonly #lines: LineReader;
  readonly #csv: CsvReader | undefined;

  /** @param width number of cells in a CSV record; `undefined` accepts any number */
  constructor(place: FilePosition, width: number | undefined) {
    const { format, newline, delimiter } = place.layout;
    const isCsv = format === 'csv';
    this.#lines = new LineReader(newline, place, isCsv ? delimiter : undefined);
    this.#csv = isCsv ? new CsvReader(delimiter, width) : undefined;
  }

  *push(part: Buffer): Generator<SourceRecord> {
    // Inside a quoted cell, a blank line is a part of the value.
    const isSkipped = () => !this.#csv?.isOpen;
    for (const line of this.#lines.push(part, isSkipped)) yield* this.#take(line);
  }

  *finish(): Generator<SourceRecord> {
    for (const line of this.#lines.finish()) yield* this.#take(line);
    for (const record of this.#csv?.finish() ?? []) if (!isBlank(record)) yield record;
  }

  *#take(line: Line): Generator<SourceRecord> {
    for (const record of this.#csv?.push(line) ?? [lineRecord(line)]) if (!isBlank(record)) yield record;
  }
}

const isBlank = ({ text, cells, error }: SourceRecord): boolean =>
  error === undefined && (cells ? cells.every((cell) => cell.trim() === '') : text.trim() === '');

export type FileFormat = 'csv' | 'ndjson';

/** What the beginning of a file shows, and reading needs to continue in the middle. Plain JSON. */
export type FileLayout = {
  format: FileFormat;
  /** True if the file is compressed. It must then be read from the beginning for every position. */
  gzip: boolean;
  /** The byte that ends a line: a line feed, or a carriage return if the file has no line feeds. */
  newline: 10 | 13;
  delimiter: string;
  /** The cells of the first line of a CSV file. */
  header: string[];
};

/** Where a chunk begins. Reading from here gives the same chunks as reading from the beginning. Plain JSON. */
export type FilePosition = {
  layout: FileLayout;
  /** Bytes of the decompressed file before this position. */
  offset: number;
  /** The number of the line that begins here, from 1. */
  line: number;
  /** The index of the chunk that begins here, from 0. */
  chunk: number;
};
