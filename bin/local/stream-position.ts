import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeSecret } from './data-directory.ts';
import type { FailedBatch } from './stream-records.ts';

const batchSchema = z.object({
  streamArn: z.string(),
  shardId: z.string(),
  startSequenceNumber: z.string(),
  endSequenceNumber: z.string(),
});
const failedSchema = batchSchema.extend({ at: z.number() });
/** Milliseconds that a stream keeps its records. */
const kept = 24 * 3600 * 1000;
const schema = z.object({
  stream: z.string(),
  /** The last sequence number that was worked in each shard. */
  shards: z.record(z.string(), z.string()),
  /** Batches that were given up. The on-failure queue is in memory, so the next start tries them again. */
  failed: z.array(failedSchema),
});

/** How far the stream was worked. Kept in a file, so that a start goes on where the last run ended. */
export class StreamPosition {
  readonly #path: string | undefined;
  readonly #saved: z.output<typeof schema>;

  /** Without a path, the position is not kept. The position in another stream is forgotten. */
  constructor(streamArn: string, path?: string) {
    this.#path = path;
    const saved =
      path !== undefined && existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
    this.#saved = saved?.stream === streamArn ? saved : { stream: streamArn, shards: {}, failed: [] };
  }

  of(shardId: string): string | undefined {
    return this.#saved.shards[shardId];
  }

  advance(shardId: string, sequenceNumber: string): void {
    this.#saved.shards[shardId] = sequenceNumber;
    this.#save();
  }

  /** Batches whose records the stream still has. */
  get failed(): readonly z.output<typeof failedSchema>[] {
    return this.#saved.failed.filter(({ at }) => at > Date.now() - kept);
  }

  /** Records up to this sequence number are no longer needed. */
  get worked(): bigint {
    const shards = Object.values(this.#saved.shards).map((sequence) => BigInt(sequence));
    const failed = this.failed.map(({ startSequenceNumber }) => BigInt(startSequenceNumber) - 1n);
    return [...shards, ...failed].reduce((least, each) => (each < least ? each : least), shards[0] ?? 0n);
  }

  addFailed(batch: FailedBatch): void {
    this.#saved.failed = [...this.failed, { ...batch, at: Date.now() }];
    this.#save();
  }

  removeFailed(batch: FailedBatch): void {
    this.#saved.failed = this.#saved.failed.filter((each) => each !== batch);
    this.#save();
  }

  #save(): void {
    if (this.#path !== undefined) writeSecret(this.#path, `${JSON.stringify(this.#saved)}\n`);
  }
}
