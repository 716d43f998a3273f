import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { chunksOf } from '../../../lib/store/table/database.ts';
import type { StreamPosition } from './position.ts';
import { type FailedBatch, sequenceOf, type TableStream } from './records.ts';

export type StreamSourceOptions = {
  stream: TableStream;
  streamArn: string;
  position: StreamPosition;
  /** At most so many records are passed on together. */
  batchSize: number;
  /** How long records are gathered while there are few. */
  windowMilliseconds: number;
  /** Milliseconds. An older record is not tried again. */
  maxRecordAge: number;
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  /** Sends a message to the on-failure queue. */
  sendFailure: (batch: FailedBatch, records: readonly DynamoDBRecord[]) => void;
  /** The wait before a retry, in milliseconds. */
  backoff?: (retry: number) => number;
};

const pauseAfterError = 500;
const pauseWithoutShards = 1000;
const trimEvery = 1000;
const doubling = (retry: number) => Math.min(100 * 2 ** retry, 10_000);
/** `ended` instead of a sequence number: all of the shard was worked. */
const ended = 'ended';

/**
 * Works as Lambda's event source mapping of a stream: it reads the shards in their order, passes on the records that the
 * filter selects, and keeps its position. A restart repeats at most the records that were being worked.
 */
export function startStreamSource(options: StreamSourceOptions): { stop(): Promise<void> } {
  const { stream, streamArn, position, batchSize, backoff = doubling } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal });
  const reading = new Map<string, Promise<void>>();

  async function run(): Promise<void> {
    while (!signal.aborted) await unlessStopped(readShards);
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

  /** Starts to read each shard whose parent has been worked, and waits until one has ended. */
  async function readShards(): Promise<void> {
    const shards = (await stream.shards()).filter(({ id }) => position.of(id) !== ended);
    for (const { id, parent } of shards) {
      if (reading.has(id) || shards.some((other) => other.id === parent)) continue;
      const read = unlessStopped(() => readShard(id)).finally(() => reading.delete(id));
      reading.set(id, read);
    }
    await (reading.size === 0 ? wait(pauseWithoutShards) : Promise.race(reading.values()));
  }

  let trimmedAt = 0;
  async function readShard(shardId: string): Promise<void> {
    const worked = position.of(shardId);
    const start = worked === undefined ? undefined : { sequence: worked, isWorked: true };
    let gathered: DynamoDBRecord[] = [];
    for await (const { records, last, isFull } of stream.pages(shardId, start)) {
      gathered = gathered.concat(records);
      // As Lambda does, while the records that pass the filter are few among many.
      if (isFull && gathered.length > 0 && gathered.length < batchSize && !signal.aborted) continue;
      for (const batch of chunksOf(gathered, batchSize)) await deliver(batch, deliveryOf(shardId));
      gathered = [];
      if (last !== undefined) position.advance(shardId, last);
      if (Date.now() >= trimmedAt + trimEvery) {
        trimmedAt = Date.now();
        stream.trim?.(position.worked);
      }
      if (isFull) signal.throwIfAborted();
      else await wait(options.windowMilliseconds);
    }
    position.advance(shardId, ended);
  }

  const deliveryOf = (shardId: string): Delivery => ({
    invoke: options.invoke,
    isTooOld: ({ dynamodb }) => Date.now() - (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000 > options.maxRecordAge,
    pause: (retry) => wait(backoff(retry)),
    giveUp: (records) => {
      const [startSequenceNumber, endSequenceNumber] = [sequenceOf(records[0]!), sequenceOf(records.at(-1)!)];
      options.sendFailure({ streamArn, shardId, startSequenceNumber, endSequenceNumber }, records);
    },
  });

  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

export type Delivery = {
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  /** True if a record that failed is not tried again. */
  isTooOld: (record: DynamoDBRecord) => boolean;
  /** Waits before the retry with this number, from 0. Rejects if the service stops. */
  pause: (retry: number) => Promise<void>;
  /** Receives what still fails at its last retry. */
  giveUp: (records: readonly DynamoDBRecord[]) => void;
};

type Batch = { records: readonly DynamoDBRecord[]; retries: number };

/**
 * Invokes a function with the records in their order, as an event source mapping does that bisects and reports partial
 * failures. A batch whose invocation fails is split in halves, which uses up no retry. If the function reports a record,
 * this record and those after it are tried again.
 */
export async function deliver(records: readonly DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const waiting: Batch[] = [{ records, retries: 0 }];
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    const { failed, isSplit } = await attempt(batch.records, delivery);
    if (failed.length === 0) continue;
    const retries = failed.length < batch.records.length ? 0 : batch.retries;
    if (isSplit) {
      const middle = Math.ceil(failed.length / 2);
      waiting.unshift({ records: failed.slice(0, middle), retries }, { records: failed.slice(middle), retries });
    } else if (delivery.isTooOld(failed[0]!)) {
      delivery.giveUp(failed);
    } else {
      await delivery.pause(retries);
      waiting.unshift({ records: failed, retries: retries + 1 });
    }
  }
}

/** @returns the records from the first one that failed */
async function attempt(
  records: readonly DynamoDBRecord[],
  { invoke }: Delivery,
): Promise<{ failed: readonly DynamoDBRecord[]; isSplit: boolean }> {
  const wholeFails = { failed: records, isSplit: records.length > 1 };
  let response: DynamoDBBatchResponse | null | undefined;
  try {
    response = (await invoke({ Records: [...records] })) as DynamoDBBatchResponse | null | undefined;
  } catch (error) {
    console.error(error);
    return wholeFails;
  }
  const places = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) =>
    records.findIndex((record) => sequenceOf(record) === itemIdentifier),
  );
  if (places.includes(-1)) return wholeFails;
  const first = places.reduce((least, place) => Math.min(least, place), records.length);
  return { failed: records.slice(first), isSplit: false };
}
