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
};

/** The records in chunks that one call takes. The same records make the same chunks, always. */
export async function* chunksOf<T>(records: Source<T>): AsyncGenerator<Chunk<T>, void, undefined> {
  let chunk: Chunk<T> = { index: 0, firstRecord: 0, records: [] };
  let bytes = 0;
  for await (const record of records) {
    const size = sizeOf(record);
    if (chunk.records.length === maxRecords || (chunk.records.length > 0 && bytes + size > maxBytes)) {
      yield chunk;
      chunk = { index: chunk.index + 1, firstRecord: chunk.firstRecord + chunk.records.length, records: [] };
      bytes = 0;
    }
    chunk.records.push(record);
    bytes += size;
  }
  if (chunk.records.length > 0) yield chunk;
}

const encoder = new TextEncoder();

/** Bytes within the body, with the comma. */
const sizeOf = (record: unknown): number => encoder.encode(JSON.stringify(record)).length + 1;
