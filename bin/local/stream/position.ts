import { existsSync, readFileSync } from 'node:fs';
import { writeSecret } from '../data-directory.ts';

type Saved = {
  stream: string;
  /** The last sequence number that was worked in each shard. */
  shards: Record<string, string>;
};

/**
 * How far the stream was worked. Kept in a file, so that a start goes on where the last run ended. What was given up
 * counts as worked: its records, which can contain data of a person who is erased later, are deleted like all others.
 */
export class StreamPosition {
  readonly #path: string | undefined;
  readonly #saved: Saved;

  /** Without a path, the position is not kept. The position in another stream is forgotten. */
  constructor(streamArn: string, path?: string) {
    this.#path = path;
    const saved: Saved | undefined =
      path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
    this.#saved =
      saved?.stream === streamArn ? { stream: streamArn, shards: saved.shards } : { stream: streamArn, shards: {} };
  }

  of(shardId: string): string | undefined {
    return this.#saved.shards[shardId];
  }

  /** Records up to this sequence number are no longer needed. */
  get worked(): bigint {
    const shards = Object.values(this.#saved.shards).map((sequence) => BigInt(sequence));
    return shards.reduce((least, each) => (each < least ? each : least), shards[0] ?? 0n);
  }

  advance(shardId: string, sequenceNumber: string): void {
    this.#save({ shards: { ...this.#saved.shards, [shardId]: sequenceNumber } });
  }

  #save(changed: Partial<Saved>): void {
    Object.assign(this.#saved, changed);
    if (this.#path !== undefined) writeSecret(this.#path, `${JSON.stringify(this.#saved)}\n`);
  }
}
