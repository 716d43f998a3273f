import { CsvError, parse } from 'csv-parse/sync';
import { type Line, maxRecordBytes } from './lines.ts';
import { lineRecord, type SourceRecord } from './record.ts';
import { decoded } from './text.ts';

/** Lines that a quoted cell may run over. */
const maxLines = 1000;
const quote = 0x22;

type Taken = {
  record: SourceRecord;
  /** Lines to be looked at afresh. */
  again: Line[];
};

/**
 * Joins lines to records. A line with an odd number of quotes opens or closes a cell that holds line ends. Where such
 * a record is never closed, or comes out wrong, its first line alone is given up, and reading goes on with the line
 * after it: one stray quote costs one line, never the rest of the file.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #width: number | undefined;
  /** Lines of a record that is not closed yet. */
  #open: Line[] = [];
  #openBytes = 0;

  /** @param width how many cells a record has; whatever it has, when that is not known. */
  constructor(delimiter: string, width: number | undefined) {
    this.#delimiter = delimiter;
    this.#width = width;
  }

  *push(line: Line): Generator<SourceRecord> {
    const queue = [line];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const taken = this.#take(next);
      if (!taken) continue;
      yield taken.record;
      queue.unshift(...taken.again);
    }
  }

  *finish(): Generator<SourceRecord> {
    while (this.#open.length > 0) {
      const { record, again } = this.#giveUp(notClosed);
      yield record;
      for (const line of again) yield* this.push(line);
    }
  }

  #take(line: Line): Taken | undefined {
    const turns = hasOddQuotes(line.bytes);
    if (this.#open.length === 0 && (!turns || line.isTooLong)) return { record: this.#single(line), again: [] };
    this.#open.push(line);
    this.#openBytes += line.bytes.length;
    const isEndless = this.#open.length > maxLines || this.#openBytes > maxRecordBytes;
    if (isEndless || line.isTooLong) return this.#giveUp(notClosed);
    return turns && this.#open.length > 1 ? this.#joined() : undefined;
  }

  #single(line: Line): SourceRecord {
    const record = lineRecord(line);
    return record.error ? record : { ...record, ...this.#cut(record.text) };
  }

  #joined(): Taken {
    const first = this.#open[0]!;
    const { end, number } = this.#open.at(-1)!;
    const parts = this.#open.flatMap(({ bytes, ending }) => [bytes, Buffer.from(ending)]).slice(0, -1);
    const { text, isForeign } = decoded(Buffer.concat(parts));
    const { cells, error } = this.#cut(text);
    if (!cells || cells.length !== (this.#width ?? cells.length)) return this.#giveUp(error ?? notClosed);
    this.#reset();
    return { record: { ...lineRecord(first), end, nextLine: number + 1, text, isForeign, cells }, again: [] };
  }

  /** The first open line is no record; those behind it may be. */
  #giveUp(error: string): Taken {
    const [first, ...again] = this.#open as [Line, ...Line[]];
    this.#reset();
    return { record: lineRecord(first, error), again };
  }

  #reset(): void {
    this.#open = [];
    this.#openBytes = 0;
  }

  #cut(text: string): Pick<SourceRecord, 'cells' | 'error'> {
    // Where there is no quote there is nothing to parse.
    if (!text.includes('"')) return { cells: text.split(this.#delimiter), error: undefined };
    try {
      const [cells] = parse(text, { delimiter: this.#delimiter, record_delimiter: ['\n'], max_record_size: 0 });
      return { cells: cells ?? [''], error: undefined };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return { cells: undefined, error: error.code === 'CSV_QUOTE_NOT_CLOSED' ? notClosed : misplaced };
    }
  }
}

const notClosed = 'a quote opens a cell here and nothing closes it';
const misplaced =
  'a quote stands inside a cell: the whole cell must be quoted then, and each quote in it written twice';

function hasOddQuotes(bytes: Buffer): boolean {
  let isOdd = false;
  for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) isOdd = !isOdd;
  return isOdd;
}
