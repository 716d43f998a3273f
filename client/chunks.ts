import type { Source } from './in-order.ts';

/**
 * Limits of one request. The service accepts 4 MB of body, and this leaves room for the other fields. Both must never
 * change, because a repeated upload must make the same chunks.
 */
const maxRecords = 500;
const maxBytes = 3_900_000;

/**
 * Records for one request.
 *
 * @example
 * const isLast = ({ index, count }: Chunk<AccountRecord>) => index + 1 === count;
 */
export type Chunk<T> = {
  /** Index of the chunk, from zero. */
  index: number;
  /** Index of its first record among all records, from zero. */
  firstRecord: number;
  /** The records, in their order. */
  records: T[];
  /** Number of chunks. Known for every chunk of an array, but only for the last chunk of any other source. */
  count: number | undefined;
};

/**
 * Splits the records into chunks of one request each. The same records always make the same chunks.
 *
 * @example
 * for await (const { index, records } of chunksOf(allRecords)) console.log(index, records.length);
 */
export async function* chunksOf<T>(records: Source<T>): AsyncGenerator<Chunk<T>, void, undefined> {
  const cutter = new Cutter();
  const count = Array.isArray(records) ? countOf(records) : undefined;
  let chunk: Chunk<T> = { index: 0, firstRecord: 0, records: [], count };
  for await (const record of records) {
    if (cutter.cutsBefore(record)) {
      yield chunk;
      chunk = { index: chunk.index + 1, firstRecord: chunk.firstRecord + chunk.records.length, records: [], count };
    }
    chunk.records.push(record);
  }
  if (chunk.records.length > 0) yield { ...chunk, count: chunk.index + 1 };
}

/** The number of chunks. At least one, so the records must not be empty. */
function countOf(records: readonly unknown[]): number {
  const cutter = new Cutter();
  return records.reduce<number>((count, record) => count + (cutter.cutsBefore(record) ? 1 : 0), 1);
}

/** Decides where a new chunk begins, from the records in their order. */
class Cutter {
  #records = 0;
  #bytes = 0;

  cutsBefore(record: unknown): boolean {
    const size = sizeOf(record);
    const isFull = this.#records === maxRecords || (this.#records > 0 && this.#bytes + size > maxBytes);
    this.#records = isFull ? 1 : this.#records + 1;
    this.#bytes = isFull ? size : this.#bytes + size;
    return isFull;
  }
}

const encoder = new TextEncoder();

/** Bytes of the record in the body, with the comma after it. */
const sizeOf = (record: unknown): number => encoder.encode(JSON.stringify(record)).length + 1;
