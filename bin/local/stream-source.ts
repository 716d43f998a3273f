import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Delivery, deliver } from './stream-delivery.ts';
import type { StreamPosition } from './stream-position.ts';
import { type FailedBatch, recordsOfBatch, sequenceOf, type TableStream } from './stream-records.ts';

export type StreamSourceOptions = {
  stream: TableStream;
  streamArn: string;
  position: StreamPosition;
  /** How long records are gathered while there are few. */
  windowMilliseconds: number;
  retries: number;
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  /** Sends a message to the on-failure queue. */
  sendFailure: (batch: FailedBatch, records: readonly DynamoDBRecord[]) => void;
  /** Removes records that nobody needs any more. */
  trim?: () => void;
  /** The wait before a retry, in milliseconds. */
  backoff?: (retry: number) => number;
};

export type StreamSource = { stop(graceMilliseconds: number): Promise<void> };

const pauseAfterError = 500;
const pauseWithoutShards = 1000;
const doubling = (retry: number) => Math.min(100 * 2 ** retry, 10_000);
/** `ended` instead of a sequence number: all of the shard was worked. */
const ended = 'ended';

/**
 * Works as Lambda's event source mapping of a stream: it reads the shards in their order, passes on the records that the
 * filter selects, and keeps its position. A restart repeats at most the records that were being worked.
 */
export function startStreamSource(options: StreamSourceOptions): StreamSource {
  const { stream, streamArn, position, backoff = doubling } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal });

  const reading = new Map<string, Promise<void>>();

  async function run(): Promise<void> {
    await unlessStopped(retryFailed);
    while (!signal.aborted) {
      await unlessStopped(startShards);
      if (reading.size === 0) await unlessStopped(() => wait(pauseWithoutShards));
      else await Promise.race(reading.values());
    }
    await Promise.all(reading.values());
  }

  let reported = '';
  /** Waits after an error, because the engine may start again. */
  async function unlessStopped(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (String(error) !== reported) console.error('The stream of the table could not be worked:', error);
      reported = String(error);
      await wait(pauseAfterError).catch(() => {});
    }
  }

  /** Starts to read each shard whose parent has been worked. */
  async function startShards(): Promise<void> {
    const shards = (await stream.shards()).filter(({ id }) => position.of(id) !== ended);
    for (const { id, parent } of shards) {
      if (reading.has(id) || shards.some((other) => other.id === parent)) continue;
      reading.set(
        id,
        unlessStopped(() => readShard(id)).finally(() => reading.delete(id)),
      );
    }
  }

  async function readShard(shardId: string): Promise<void> {
    const worked = position.of(shardId);
    const start = worked === undefined ? undefined : { sequence: worked, isWorked: true };
    const read = await stream.open(shardId, start);
    for (;;) {
      signal.throwIfAborted();
      const { records, last, isFull, isLast } = await read();
      if (records.length > 0) await deliver(records, deliveryOf(shardId));
      if (last !== undefined) position.advance(shardId, last);
      options.trim?.();
      if (isLast) return position.advance(shardId, ended);
      if (!isFull) await wait(options.windowMilliseconds);
    }
  }

  const deliveryOf = (shardId: string, retries = options.retries): Delivery => ({
    invoke: options.invoke,
    retries,
    pause: (retry) => wait(backoff(retry)),
    giveUp: (records) => {
      const [startSequenceNumber, endSequenceNumber] = [records[0]!, records.at(-1)!].map(sequenceOf) as [
        string,
        string,
      ];
      const batch = { streamArn, shardId, startSequenceNumber, endSequenceNumber };
      options.sendFailure(batch, records);
      position.addFailed(batch);
    },
  });

  /** The on-failure queue lost its messages with the last run. */
  async function retryFailed(): Promise<void> {
    for (const batch of position.failed) {
      await deliver(await recordsOfBatch(stream, batch), deliveryOf(batch.shardId, 0));
      position.removeFailed(batch);
    }
  }

  const running = run();
  return {
    stop: async (graceMilliseconds) => {
      stopping.abort();
      await Promise.race([running, sleep(graceMilliseconds, undefined, { ref: false })]);
    },
  };
}
