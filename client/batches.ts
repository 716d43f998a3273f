import type { Source } from './in-order.ts';
import { dataOf, given, type Transport } from './transport.ts';
import type { AccountRecord, Batch, BatchAcceptance, BatchInput, CallOptions } from './types.ts';
import { type UploadOptions, type UploadProgress, upload } from './upload.ts';
import { pause } from './waiting.ts';

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
    return dataOf(this.#transport.api.GET('/v1/batches', { params, ...given(signal) }));
  }

  /**
   * Any number of account records, in chunks of 500, several at once. Records of the same account take effect in
   * their order.
   *
   * @throws UploadError for the chunk that was refused or got no answer.
   */
  async upload(records: Source<AccountRecord>, options: UploadOptions): Promise<UploadProgress> {
    return upload(records, (input, callOptions) => this.create(input, callOptions), options);
  }

  /** The batch once nothing that was accepted of it is open any more: its `status` is `completed` or `failed`. */
  async finished(batchId: string, { signal, onProgress }: FinishedOptions = {}): Promise<Batch> {
    for (let wait = firstPollMilliseconds; ; wait = Math.min(wait * 1.5, longestPollMilliseconds)) {
      const batch = await this.get(batchId, { signal });
      onProgress?.(batch);
      if (batch.status !== 'processing') return batch;
      await pause(wait, this.#signal, signal);
    }
  }
}
