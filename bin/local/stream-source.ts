import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Delivery, deliver } from './stream-delivery.ts';
import type { StreamPosition } from './stream-position.ts';
import {
  type FailedBatch,
  lambdaRecord,
  passesFilter,
  recordsOfBatch,
  recordsPerRead,
  sequenceOf,
  shardIterator,
} from './stream-records.ts';

export type StreamSourceOptions = {
  client: DynamoDBStreamsClient;
  streamArn: string;
  position: StreamPosition;
  /** How long records are gathered while there are few. */
  windowMilliseconds: number;
  retries: number;
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  /** Sends a message to the on-failure queue. */
  sendFailure: (batch: FailedBatch, records: readonly DynamoDBRecord[]) => Promise<void>;
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
  const { client, streamArn, position, backoff = doubling } = options;
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

  /** Waits after an error, because the engine may start again. */
  async function unlessStopped(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      console.error('The stream of the table could not be worked:', error);
      await wait(pauseAfterError).catch(() => {});
    }
  }

  /** Starts to read each shard whose parent has been worked. */
  async function startShards(): Promise<void> {
    const shards = (await allShards()).filter(({ ShardId = '' }) => position.of(ShardId) !== ended);
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId: id = '', ParentShardId: parent } of shards) {
      if (reading.has(id) || (parent !== undefined && ids.has(parent))) continue;
      reading.set(
        id,
        unlessStopped(() => readShard(id)).finally(() => reading.delete(id)),
      );
    }
  }

  async function allShards(): Promise<Shard[]> {
    let shards: Shard[] = [];
    let start: string | undefined;
    do {
      const { StreamDescription } = await client.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId: start }),
        { abortSignal: signal },
      );
      shards = shards.concat(StreamDescription?.Shards ?? []);
      start = StreamDescription?.LastEvaluatedShardId;
    } while (start !== undefined);
    return shards;
  }

  /** Ends with the shard. */
  async function readShard(shardId: string): Promise<void> {
    let iterator = await iteratorOf(shardId);
    while (iterator !== undefined) {
      signal.throwIfAborted();
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: recordsPerRead }),
        { abortSignal: signal },
      );
      const records = Records.filter(passesFilter).map((record) => lambdaRecord(record, streamArn));
      if (records.length > 0) await deliver(records, deliveryOf(shardId));
      const last = Records.at(-1);
      if (last) position.advance(shardId, sequenceOf(last));
      options.trim?.();
      if (Records.length < recordsPerRead) await wait(options.windowMilliseconds);
      iterator = NextShardIterator;
    }
    position.advance(shardId, ended);
  }

  async function iteratorOf(shardId: string): Promise<string | undefined> {
    const shard = { streamArn, shardId };
    const after = position.of(shardId);
    if (after === undefined) return shardIterator(client, shard, 'TRIM_HORIZON');
    try {
      return await shardIterator(client, shard, 'AFTER_SEQUENCE_NUMBER', after);
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      console.error('The stream of the table no longer has changes that were not worked.');
      return shardIterator(client, shard, 'TRIM_HORIZON');
    }
  }

  const deliveryOf = (shardId: string, retries = options.retries): Delivery => ({
    invoke: options.invoke,
    retries,
    pause: (retry) => wait(backoff(retry)),
    giveUp: async (records) => {
      const [startSequenceNumber, endSequenceNumber] = [records[0]!, records.at(-1)!].map(sequenceOf) as [
        string,
        string,
      ];
      const batch = { streamArn, shardId, startSequenceNumber, endSequenceNumber };
      await options.sendFailure(batch, records);
      position.addFailed(batch);
    },
  });

  /** The on-failure queue lost its messages with the last run. */
  async function retryFailed(): Promise<void> {
    for (const batch of position.failed) {
      await deliver(await recordsOfBatch(client, batch), deliveryOf(batch.shardId, 0));
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
