import type { Source } from './in-order.ts';

/** What the service takes in one call, a little less than the 4 MB included. Resending counts on both to stay. */
const maxRecords = 500;
const maxBytes = 3_900_000;

export type Chunk<T> = {
  /** Place of the chunk, from zero. */
  index: number;
  /** Place of its first record among all records, from zero. */
  firstRecord: number;
  records: T[];
  /** How many chunks the records make: known from the first chunk on for an array, at the last for any other source. */
  count: number | undefined;
};

/** The records in chunks that one call takes. The same records make the same chunks, always. */
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

/** Chunks of so many records; at least one where there are any. */
function countOf(records: readonly unknown[]): number {
  const cutter = new Cutter();
  return records.reduce<number>((count, record) => count + (cutter.cutsBefore(record) ? 1 : 0), 1);
}

/** Decides where one chunk ends and the next begins, from the records in their order. */
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

/** Bytes within the body, with the comma. */
const sizeOf = (record: unknown): number => encoder.encode(JSON.stringify(record)).length + 1;
