import type { FilePosition } from '../domain/file-position.ts';
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
