import type { DynamoDBRecord } from 'aws-lambda';
import { tableStream } from '../../lib/background.ts';

/** The maximum of GetRecords. */
export const recordsPerRead = 1000;

/** A shard, and the shard that must be worked before it. */
export type StreamShard = { id: string; parent?: string | undefined };

/** A record to begin with, or the next one if this one is worked. */
export type StreamStart = { sequence: string; isWorked: boolean };

export type StreamPage = {
  /** The records that pass the filter. */
  records: DynamoDBRecord[];
  /** The last record that was read, whether it passes the filter or not. */
  last: string | undefined;
  /** There may be more records now. */
  isFull: boolean;
  /** There will be no more records. */
  isLast: boolean;
};

/** Reads a shard on, from the position at which it was opened. */
export type ShardReader = () => Promise<StreamPage>;

/** A stream of changes. Sequence numbers are those of DynamoDB. */
export type TableStream = {
  shards(): Promise<StreamShard[]>;
  /** Begins at the start, or with the oldest record if there is no start or its record is no longer kept. */
  open(shardId: string, start: StreamStart | undefined): Promise<ShardReader>;
};

/** What the message of the on-failure queue says about a batch. */
export type FailedBatch = {
  streamArn: string;
  shardId: string;
  startSequenceNumber: string;
  endSequenceNumber: string;
};

const exact = new Set<string>();
const prefixes: string[] = [];
for (const each of tableStream.sortKeys) {
  if (typeof each === 'string') exact.add(each);
  else prefixes.push(each.prefix);
}

/** What the filter of the event source mapping does. */
export const passesFilter = (sortKey: string): boolean =>
  exact.has(sortKey) || prefixes.some((prefix) => sortKey.startsWith(prefix));

export const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/** The records of a failed batch that the stream still has. */
export async function recordsOfBatch(stream: TableStream, batch: FailedBatch): Promise<DynamoDBRecord[]> {
  const first = BigInt(batch.startSequenceNumber);
  const end = BigInt(batch.endSequenceNumber);
  const read = await stream.open(batch.shardId, { sequence: batch.startSequenceNumber, isWorked: false });
  let found: DynamoDBRecord[] = [];
  for (;;) {
    const { records, last, isFull, isLast } = await read();
    found = found.concat(records.filter((record) => isBetween(BigInt(sequenceOf(record)), first, end)));
    if (!isFull || isLast || last === undefined || BigInt(last) >= end) return found;
  }
}

const isBetween = (value: bigint, first: bigint, last: bigint): boolean => first <= value && value <= last;
