import { type Chunk, chunksOf } from './chunks.ts';
import { accountConflicts } from './conflicts.ts';
import { inOrder, type Source } from './in-order.ts';
import type { AccountRecord, BatchAcceptance, BatchInput, CallOptions } from './types.ts';

/**
 * What an upload has sent so far.
 *
 * @example
 * const onProgress = ({ records }: UploadProgress) => console.log(`${records} accepted`);
 */
export type UploadProgress = {
  /** Chunks accepted so far. */
  chunks: number;
  /** Records in these chunks. */
  records: number;
  /** How many of these chunks an earlier upload had already sent. */
  duplicates: number;
};

/**
 * Options of `batches.upload`.
 *
 * @example
 * const options: UploadOptions = { batchId: 'members-2026-03-01', atOnce: 8 };
 */
export type UploadOptions = CallOptions & {
  /**
   * Your id for these records. After an error, upload the same records with the same `batchId` again: chunks that were
   * accepted are not imported twice. Use another id for other records.
   */
  batchId: string;
  /** Maximum number of concurrent requests. 4 by default. */
  atOnce?: number;
  /** Called after each accepted chunk. */
  onProgress?: (progress: UploadProgress) => void;
};

/**
 * A chunk was not accepted. `cause` is the `ApiError`, `NetworkError` or `DifferentRecordsError`.
 *
 * @example
 * if (error instanceof UploadError) console.log(error.chunkIndex, error.firstRecord, error.cause);
 */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /** Index of the chunk. */
  readonly chunkIndex: number;
  /** Index of the chunk's first record among all records. Add it to the index in a path such as `/records/3/…`. */
  readonly firstRecord: number;

  constructor({ index, firstRecord }: Chunk<unknown>, cause: unknown) {
    super(`chunk ${index} was not accepted: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.chunkIndex = index;
    this.firstRecord = firstRecord;
  }
}

/**
 * The chunk was accepted before with other records. The service kept those and ignored these.
 *
 * @example
 * if (error instanceof UploadError && error.cause instanceof DifferentRecordsError) console.log('use another batchId');
 */
export class DifferentRecordsError extends Error {
  override readonly name = 'DifferentRecordsError';

  constructor() {
    super('it was accepted before with other records; upload these records with another batchId');
  }
}

type Create = (input: BatchInput, options: CallOptions) => Promise<BatchAcceptance>;

export async function upload(
  records: Source<AccountRecord>,
  create: Create,
  { batchId, atOnce = 4, onProgress, signal }: UploadOptions,
): Promise<UploadProgress> {
  const progress: UploadProgress = { chunks: 0, records: 0, duplicates: 0 };
  const send = async (chunk: Chunk<AccountRecord>) => {
    const accepted = await accept(chunk, create, batchId, signal).catch((error: unknown) => {
      throw signal?.aborted ? error : new UploadError(chunk, error);
    });
    progress.chunks += 1;
    progress.records += accepted.records;
    progress.duplicates += accepted.duplicate ? 1 : 0;
    onProgress?.({ ...progress });
  };
  await inOrder(chunksOf(records), { conflictsOf: (chunk) => accountConflicts(chunk.records), send, atOnce, signal });
  return progress;
}

async function accept(
  { index, count, records }: Chunk<AccountRecord>,
  create: Create,
  batch_id: string,
  signal: AbortSignal | undefined,
): Promise<BatchAcceptance> {
  const chunk_count = count === undefined ? {} : { chunk_count: count };
  const input = { type: 'account', batch_id, chunk_index: index, ...chunk_count, records } as const;
  const accepted = await create(input, { signal });
  if (accepted.same_records === false) throw new DifferentRecordsError();
  return accepted;
}
