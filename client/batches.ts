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

/** As many as one request may bring. */
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

  /** Without `batch_id` and `chunk_index` it is sent only once: sent again, the records would be imported again. */
  async create(input: BatchInput, { signal }: CallOptions = {}): Promise<BatchAcceptance> {
    const repeatable = typeof input.chunk_index === 'number';
    const options = { body: input, ...given(signal), ...(repeatable ? {} : { fetch: this.#transport.once }) };
    return dataOf(this.#transport.api.POST('/v1/batches', options));
  }

  /** With a `chunkIndex`, of that chunk alone, and every record of it that was rejected. */
  async get(batchId: string, { signal, chunkIndex }: CallOptions & { chunkIndex?: number } = {}): Promise<Batch> {
    // In the query, which carries every id; a path does not carry `.` or `..`.
    const chunk = chunkIndex === undefined ? {} : { chunk_index: chunkIndex };
    const params = { query: { batch_id: batchId, ...chunk } };
    return (await dataOf(this.#transport.api.GET('/v1/batches', { params, ...given(signal) }))) as Batch;
  }

  /** The team's batches, the newest first; the next page is fetched when the loop comes to it. */
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
   * Any number of account records, in chunks of 500, several at once. Records of the same account take effect in
   * their order. While the service has no room for more (429), the upload waits.
   *
   * @throws UploadError for the chunk that was refused, got no response, or was accepted before with other records.
   */
  async upload(records: Source<AccountRecord>, options: UploadOptions): Promise<UploadProgress> {
    const signals = [this.#signal, options.signal];
    return upload(records, (input, each) => onceThereIsRoom(() => this.create(input, each), { signals }), options);
  }

  /**
   * The batch once its `status` is `completed` or `failed`: nothing that was accepted of it is open any more, and none
   * of the chunks that it was announced with is missing.
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
