import { CsvError, parse } from 'csv-parse/sync';
import type { FilePosition } from '../domain/drop-box/file-position.ts';
import { decoded } from './encoding.ts';
import { type Line, LineReader, lineRecord, maxRecordBytes, type SourceRecord } from './lines.ts';

/** Most lines of one record, whose quoted cells may contain line breaks. */
const maxLines = 1000;
const quote = 0x22;

type Taken = {
  record: SourceRecord;
  /** Lines that must be read again, as the start of other records. */
  reread: Line[];
};

/**
 * Joins lines to records. A line with an odd number of quotes opens or closes a cell that contains line breaks. If such
 * a record is never closed or does not parse, only its first line is invalid, and reading continues with the next line.
 * One stray quote therefore costs one line, not the rest of the file.
 */
class CsvReader {
  readonly #delimiter: string;
  readonly #width: number | undefined;
  /** A cell such as `="007"`, by which people keep a spreadsheet from changing it. It stays as it is. */
  readonly #formula: RegExp;
  /** Lines of the record that is not closed yet. */
  #open: Line[] = [];
  #openBytes = 0;
  /** True if the end of the file is inside quotes. */
  isCut = false;

  /** @param width number of cells in a record; `undefined` accepts any number */
  constructor(delimiter: string, width: number | undefined) {
    this.#delimiter = delimiter;
    this.#width = width;
    const end = RegExp.escape(delimiter);
    this.#formula = new RegExp(`(?<=^|${end})="(?<text>[^"]*)"(?=${end}|$)`, 'g');
  }

  /** True inside a record that continues on the next line. */
  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  *push(line: Line): Generator<SourceRecord> {
    let queue = [line];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const taken = this.#take(next);
      if (!taken) continue;
      yield taken.record;
      queue = taken.reread.concat(queue);
    }
  }

  /** @param hasEnd true if the last line has a line end */
  *finish(hasEnd: boolean): Generator<SourceRecord> {
    while (this.#open.length > 0) {
      this.isCut = this.#endsInQuotes(hasEnd);
      if (this.isCut) {
        const first = this.#open[0]!;
        const { end, number } = this.#open.at(-1)!;
        const text = this.#openText();
        yield { ...lineRecord(first, notClosed), ...text, end, nextLine: number + 1 };
        return;
      }
      const { record, reread } = this.#rejectFirst(notClosed);
      yield record;
      for (const line of reread) yield* this.push(line);
    }
  }

  /**
   * Whether a record that is open at the end of the file is cut off. Otherwise its first quote is a stray one: most
   * lines after it are then whole records, not parts of a cell.
   */
  #endsInQuotes(hasEnd: boolean): boolean {
    if (this.#cut(this.#openText().text).error !== notClosed) return false;
    const after = this.#open.slice(1, hasEnd ? undefined : -1);
    const isRecord = ({ bytes }: Line) => this.#cut(decoded(bytes).text).cells?.length === this.#width;
    return this.#width === 1 || after.length === 0 || after.filter(isRecord).length * 2 <= after.length;
  }

  #openText() {
    return decoded(Buffer.concat(this.#open.flatMap(({ bytes, ending }) => [bytes, Buffer.from(ending)]).slice(0, -1)));
  }

  #take(line: Line): Taken | undefined {
    const turns = hasOddQuotes(line.bytes);
    if (this.#open.length === 0 && (!turns || line.isTooLong)) return { record: this.#single(line), reread: [] };
    this.#open.push(line);
    this.#openBytes += line.bytes.length;
    const isEndless = this.#open.length > maxLines || this.#openBytes > maxRecordBytes;
    if (isEndless || line.isTooLong) return this.#rejectFirst(notClosed);
    return turns && this.#open.length > 1 ? this.#joined() : undefined;
  }

  #single(line: Line): SourceRecord {
    const record = lineRecord(line);
    return record.error ? record : { ...record, ...this.#cut(record.text) };
  }

  #joined(): Taken {
    const first = this.#open[0]!;
    const { end, number } = this.#open.at(-1)!;
    const { text, isForeign } = this.#openText();
    const { cells, error } = this.#cut(text);
    if (!cells || cells.length !== (this.#width ?? cells.length)) return this.#rejectFirst(error ?? notClosed);
    this.#reset();
    return { record: { ...lineRecord(first), end, nextLine: number + 1, text, isForeign, cells }, reread: [] };
  }

  /** The first open line is not a record, but the lines after it may be. */
  #rejectFirst(error: string): Taken {
    const [first, ...reread] = this.#open as [Line, ...Line[]];
    this.#reset();
    return { record: lineRecord(first, error), reread };
  }

  #reset(): void {
    this.#open = [];
    this.#openBytes = 0;
  }

  #cut(text: string): Pick<SourceRecord, 'cells' | 'error'> {
    // Much faster than the parser, and the same without quotes.
    if (!text.includes('"')) return { cells: text.split(this.#delimiter), error: undefined };
    const parsed = this.#parse(text);
    const quoted = parsed.error && text.includes('="') ? text.replaceAll(this.#formula, '"=""$<text>"""') : text;
    return quoted === text ? parsed : this.#parse(quoted);
  }

  #parse(text: string): Pick<SourceRecord, 'cells' | 'error'> {
    try {
      const [cells] = parse(text, { delimiter: this.#delimiter, record_delimiter: ['\n'], max_record_size: 0 });
      return { cells: cells ?? [''], error: undefined };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return { cells: undefined, error: error.code === 'CSV_QUOTE_NOT_CLOSED' ? notClosed : misplaced };
    }
  }
}

const notClosed = 'has an opening quote that is never closed';
const misplaced = 'has a quote inside a cell: put the whole cell in quotes, and write each quote inside it twice';

function hasOddQuotes(bytes: Buffer): boolean {
  let isOdd = false;
  for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) isOdd = !isOdd;
  return isOdd;
}

/** Reads records from a stream of bytes. Skips blank records. */
export class RecordReader {
  readonly #lines: LineReader;
  readonly #csv: CsvReader | undefined;
  /** True if the last record has no line end and others have; and if the end of the file is inside quotes. */
  isCut = false;
  endsInQuotes = false;

  /** @param width number of cells in a CSV record; `undefined` accepts any number */
  constructor(place: FilePosition, width: number | undefined) {
    const { format, newline, delimiter } = place.layout;
    const isCsv = format === 'csv';
    this.#lines = new LineReader(newline, place, isCsv && delimiter.length === 1 ? delimiter : undefined);
    this.#csv = isCsv ? new CsvReader(delimiter, width) : undefined;
  }

  *push(part: Buffer): Generator<SourceRecord> {
    // Inside a quoted cell, a blank line is a part of the value.
    const isSkipped = () => !this.#csv?.isOpen;
    for (const line of this.#lines.push(part, isSkipped)) yield* this.#take(line);
  }

  *finish(): Generator<SourceRecord> {
    for (const line of this.#lines.finish()) {
      for (const record of this.#take(line)) {
        this.isCut ||= this.#lines.isCut;
        yield record;
      }
    }
    for (const record of this.#csv?.finish(!this.#lines.isCut) ?? []) {
      if (isBlank(record)) continue;
      this.isCut ||= this.#lines.isCut;
      yield record;
    }
    this.endsInQuotes = this.#csv?.isCut ?? false;
  }

  *#take(line: Line): Generator<SourceRecord> {
    for (const record of this.#csv?.push(line) ?? [lineRecord(line)]) if (!isBlank(record)) yield record;
  }
}

const isBlank = ({ text, cells, error }: SourceRecord): boolean =>
  error === undefined && (cells ? cells.every((cell) => cell.trim() === '') : text.trim() === '');
