import { onceThereIsRoom } from './backpressure.ts';
import type { Source } from './in-order.ts';
import { dataOf, given, type Transport } from './transport.ts';
import type {
  AccountRecord,
  Batch,
  BatchAcceptance,
  BatchInput,
  BatchList,
  BatchSummary,
  CallOptions,
} from './types.ts';
import { type UploadOptions, type UploadProgress, upload } from './upload.ts';
import { pause } from './waiting.ts';

/** The largest page that the service returns. */
const pageSize = 100;
const firstPollMilliseconds = 200;
const longestPollMilliseconds = 5_000;

export type FinishedOptions = CallOptions & { onProgress?: (batch: Batch) => void };

export class Batches {
  readonly #transport: Transport;
  readonly #signal: AbortSignal | undefined;

  constructor(transport: Transport, signal: AbortSignal | undefined) {
    this.#transport = transport;
    this.#signal = signal;
  }

  /** Sends a batch. Without `chunk_index` it is not retried, because a retry would import the records again. */
  async create(input: BatchInput, { signal }: CallOptions = {}): Promise<BatchAcceptance> {
    const repeatable = typeof input.chunk_index === 'number';
    const options = { body: input, ...given(signal), ...(repeatable ? {} : { fetch: this.#transport.once }) };
    return dataOf(this.#transport.api.POST('/v1/batches', options));
  }

  /** The status of a batch. With `chunkIndex`: only of that chunk, with all its rejected records. */
  async get(batchId: string, { signal, chunkIndex }: CallOptions & { chunkIndex?: number } = {}): Promise<Batch> {
    // Sent in the query, because a path cannot contain the ids `.` and `..`.
    const chunk = chunkIndex === undefined ? {} : { chunk_index: chunkIndex };
    const params = { query: { batch_id: batchId, ...chunk } };
    return (await dataOf(this.#transport.api.GET('/v1/batches', { params, ...given(signal) }))) as Batch;
  }

  /** The team's batches, newest first. The next page is requested when the loop needs it. */
  async *list({ signal }: CallOptions = {}): AsyncGenerator<BatchSummary, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const params = { query: cursor === undefined ? { limit: pageSize } : { cursor } };
      const page = await dataOf(this.#transport.api.GET('/v1/batches', { params, ...given(signal) }));
      const { batches, next_cursor } = page as BatchList;
      yield* batches;
      cursor = next_cursor;
      if (cursor === undefined) return;
    }
  }

  /**
   * Uploads any number of account records, in chunks of up to 500, several at once. Records of the same account are
   * applied in their order. While the service accepts no more chunks (429), the upload waits.
   *
   * @throws UploadError if a chunk was rejected, got no response, or was accepted before with other records
   */
  async upload(records: Source<AccountRecord>, options: UploadOptions): Promise<UploadProgress> {
    const signals = [this.#signal, options.signal];
    return upload(records, (input, each) => onceThereIsRoom(() => this.create(input, each), { signals }), options);
  }

  /**
   * Waits until the `status` of the batch is `completed` or `failed`: then no accepted chunk is open, and if the
   * request had `chunk_count`, no chunk is missing.
   */
  async finished(batchId: string, { signal, onProgress }: FinishedOptions = {}): Promise<Batch> {
    for (let wait = firstPollMilliseconds; ; wait = Math.min(wait * 1.5, longestPollMilliseconds)) {
      const batch = await this.get(batchId, { signal });
      onProgress?.(batch);
      if (batch.status !== 'processing') return batch;
      await pause(wait, this.#signal, signal);
    }
  }
}
