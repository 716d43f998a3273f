import { type Chunk, chunksOf } from './chunks.ts';
import { accountConflicts } from './conflicts.ts';
import { inOrder, type Source } from './in-order.ts';
import type { AccountRecord, BatchAcceptance, BatchInput, CallOptions } from './types.ts';

export type UploadProgress = {
  /** Accepted so far. */
  chunks: number;
  records: number;
  /** Of these chunks, those that an earlier upload had brought already. */
  duplicates: number;
};

export type UploadOptions = CallOptions & {
  /**
   * Your name for these records. After a failure, upload the same records with the same `batchId` again: what was
   * accepted is accepted once. Other records need another one.
   */
  batchId: string;
  /** Requests under way at most; 4 unless given. */
  atOnce?: number;
  onProgress?: (progress: UploadProgress) => void;
};

/** A chunk that was not accepted; `cause` is the `ApiError` or `NetworkError`. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly chunkIndex: number;
  /** Place of the chunk's first record among all: add it to the number in `/records/3/…`. */
  readonly firstRecord: number;

  constructor({ index, firstRecord }: Chunk<unknown>, cause: unknown) {
    super(`chunk ${index} was not accepted: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.chunkIndex = index;
    this.firstRecord = firstRecord;
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
    const input = { type: 'account', batch_id: batchId, chunk_index: chunk.index, records: chunk.records } as const;
    const accepted = await create(input, { signal }).catch((error: unknown) => {
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
