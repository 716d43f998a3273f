import { existsSync, readFileSync } from 'node:fs';
import { writeSecret } from './data-directory.ts';
import type { FailedBatch } from './stream-records.ts';

type Saved = {
  stream: string;
  /** The last sequence number that was worked in each shard. */
  shards: Record<string, string>;
  /** Batches that were given up. The on-failure queue is in memory, so the next start tries them again. */
  failed: FailedBatch[];
};

/** How far the stream was worked. Kept in a file, so that a start goes on where the last run ended. */
export class StreamPosition {
  readonly #path: string | undefined;
  readonly #saved: Saved;

  /** Without a path, the position is not kept. The position in another stream is forgotten. */
  constructor(streamArn: string, path?: string) {
    this.#path = path;
    const saved: Saved | undefined =
      path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
    this.#saved = saved?.stream === streamArn ? saved : { stream: streamArn, shards: {}, failed: [] };
  }

  of(shardId: string): string | undefined {
    return this.#saved.shards[shardId];
  }

  get failed(): readonly FailedBatch[] {
    return this.#saved.failed;
  }

  /** Records up to this sequence number are no longer needed. */
  get worked(): bigint {
    const shards = Object.values(this.#saved.shards).map((sequence) => BigInt(sequence));
    const failed = this.failed.map(({ startSequenceNumber }) => BigInt(startSequenceNumber) - 1n);
    return [...shards, ...failed].reduce((least, each) => (each < least ? each : least), shards[0] ?? 0n);
  }

  advance(shardId: string, sequenceNumber: string): void {
    this.#save({ shards: { ...this.#saved.shards, [shardId]: sequenceNumber } });
  }

  addFailed(batch: FailedBatch): void {
    this.#save({ failed: [...this.failed, batch] });
  }

  removeFailed(batch: FailedBatch): void {
    this.#save({ failed: this.failed.filter((each) => each !== batch) });
  }

  #save(changed: Partial<Saved>): void {
    Object.assign(this.#saved, changed);
    if (this.#path !== undefined) writeSecret(this.#path, `${JSON.stringify(this.#saved)}\n`);
  }
}
