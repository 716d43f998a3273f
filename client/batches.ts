import type { Source } from './in-order.ts';
import { onceThereIsRoom } from './retry.ts';
import type { components } from './schema.ts';
import { Area } from './transport.ts';
import type { AccountRecord, Batch, BatchAcceptance, BatchInput, BatchSummary, CallOptions } from './types.ts';
import { type UploadOptions, type UploadProgress, upload } from './upload.ts';
import { pause } from './waiting.ts';

/** The largest page that the service returns. */
const pageSize = 100;
const firstPollMilliseconds = 200;
const longestPollMilliseconds = 5_000;

/**
 * Options of `batches.finished`.
 *
 * @example
 * const options: FinishedOptions = { onProgress: ({ chunks }) => console.log(chunks.completed) };
 */
export type FinishedOptions = CallOptions & { onProgress?: (batch: Batch) => void };

/** Imports of accounts, in the background and in order. */
export class Batches extends Area {
  /**
   * Sends a batch. Without `chunk_index` it is not retried, because a retry would import the records again.
   *
   * @example
   * const { duplicate } = await client.batches.create({ type: 'accounts', batch_id: 'b-1', chunk_index: 0, records });
   */
  async create(input: BatchInput, { signal }: CallOptions = {}): Promise<BatchAcceptance> {
    const onlyOnce = typeof input.chunk_index !== 'number';
    const body = input as Omit<BatchInput, 'records'> & { records: AccountRecord[] };
    return this.transport.call('POST /v1/batches', { body, onlyOnce, signal });
  }

  /**
   * The status of a batch. With `chunkIndex`: only of that chunk, with all its rejected records.
   *
   * @example
   * const { errors } = await client.batches.get('members-2026-03-01', { chunkIndex: 3 });
   */
  async get(batchId: string, { signal, chunkIndex }: CallOptions & { chunkIndex?: number } = {}): Promise<Batch> {
    // Sent in the query, because a path cannot contain the ids `.` and `..`.
    const query = { batch_id: batchId, chunk_index: chunkIndex };
    return (await this.transport.call('GET /v1/batches', { query, signal })) as Batch;
  }

  /**
   * The team's batches, newest first. The next page is requested when the loop needs it.
   *
   * @example
   * for await (const { batch_id, status } of client.batches.list()) console.log(batch_id, status);
   */
  async *list({ signal }: CallOptions = {}): AsyncGenerator<BatchSummary, void, undefined> {
    const sent = { query: { limit: pageSize }, signal };
    const pages = this.transport.pages<components['schemas']['BatchList']>('GET /v1/batches', sent);
    for await (const { batches } of pages) yield* batches;
  }

  /**
   * Uploads any number of account records, in chunks of up to 500, several at once. Records of the same account are
   * applied in their order. While the service accepts no more chunks (429), the upload waits.
   *
   * @example
   * const { chunks, duplicates } = await client.batches.upload(records, { batchId: 'members-2026-03-01' });
   *
   * @throws UploadError if a chunk was rejected, got no response, or was accepted before with other records
   */
  async upload(records: Source<AccountRecord>, options: UploadOptions): Promise<UploadProgress> {
    const signals = [this.transport.signal, options.signal];
    return upload(records, (input, each) => onceThereIsRoom(() => this.create(input, each), { signals }), options);
  }

  /**
   * Waits until the `status` of the batch is `completed` or `failed`: then no accepted chunk is open, and if the
   * request had `chunk_count`, no chunk is missing.
   *
   * @example
   * const { status, records } = await client.batches.finished('members-2026-03-01');
   */
  async finished(batchId: string, { signal, onProgress }: FinishedOptions = {}): Promise<Batch> {
    for (let wait = firstPollMilliseconds; ; wait = Math.min(wait * 1.5, longestPollMilliseconds)) {
      const batch = await this.get(batchId, { signal });
      onProgress?.(batch);
      if (batch.status !== 'processing') return batch;
      await pause(wait, this.transport.signal, signal);
    }
  }
}
