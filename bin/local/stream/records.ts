import type { DynamoDBRecord } from 'aws-lambda';
import type { BackgroundFunction } from '../../../lib/background.ts';
import { publishedSortKeys } from '../../../lib/store/table/item-kinds.ts';

/** The maximum of GetRecords. */
export const recordsPerRead = 1000;

/** A shard, the shard that must be worked before it, and its first and last sequence number, where they are known. */
export type StreamShard = {
  id: string;
  parent?: string | undefined;
  first?: string | undefined;
  last?: string | undefined;
};

/** A record to begin with, or the next one if this one is worked. */
export type StreamStart = { sequence: string; isWorked: boolean };

export type StreamPage = {
  /** The records that pass the filter. */
  records: DynamoDBRecord[];
  /** The last record that was read, whether it passes the filter or not. */
  last: string | undefined;
  /** There may be more records now. */
  isFull: boolean;
};

/** A stream of changes. Sequence numbers are those of DynamoDB. */
export type TableStream = {
  shards(): Promise<StreamShard[]>;
  /**
   * Reads a page each time, and ends when there will be no more records. Begins at the start, or with the oldest record
   * if there is no start or its record is no longer kept.
   */
  pages(shardId: string, start: StreamStart | undefined): AsyncIterable<StreamPage>;
  /** Deletes records up to this sequence number, where they are not deleted by themselves. */
  trim?(upTo: bigint): void;
};

/** What the message of the on-failure queue says about a batch. */
export type FailedBatch = {
  streamArn: string;
  /** Unknown if the function itself sent the message, which is then about one record. */
  shardId?: string | undefined;
  startSequenceNumber: string;
  endSequenceNumber: string;
};

/** Where the stream of the table is. */
export type StreamPlace = {
  table: { endpoint: string; name: string; streamArn: string };
  /** The file that keeps the position in the stream. */
  positionPath: string | undefined;
  /** The file of the embedded engine. Without it, the stream is read by the API. */
  databasePath: string | undefined;
};

export type StreamSettings = StreamPlace & {
  functionId: string;
  trigger: Extract<BackgroundFunction['trigger'], { stream: unknown }>;
  /** The timeout of the function. */
  seconds: number;
};

/** What the filter of the event source mapping does. */
export const passesFilter = (sortKey: string): boolean =>
  publishedSortKeys.some((each) => (typeof each === 'string' ? each === sortKey : sortKey.startsWith(each.prefix)));

export const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/** The records of a failed batch that the stream still has. */
export async function recordsOfBatch(stream: TableStream, batch: FailedBatch): Promise<DynamoDBRecord[]> {
  if (batch.shardId !== undefined) return recordsOfShard(stream, batch.shardId, batch);
  const sequence = BigInt(batch.startSequenceNumber);
  const shards = (await stream.shards()).filter(
    ({ first = '0', last }) => BigInt(first) <= sequence && (last === undefined || sequence <= BigInt(last)),
  );
  for (const { id } of shards) {
    const found = await recordsOfShard(stream, id, batch);
    if (found.length > 0) return found;
  }
  return [];
}

async function recordsOfShard(stream: TableStream, shardId: string, batch: FailedBatch): Promise<DynamoDBRecord[]> {
  const [first, end] = [BigInt(batch.startSequenceNumber), BigInt(batch.endSequenceNumber)];
  let found: DynamoDBRecord[] = [];
  const start = { sequence: batch.startSequenceNumber, isWorked: false };
  for await (const { records, last } of stream.pages(shardId, start)) {
    found = found.concat(records.filter((record) => isBetween(BigInt(sequenceOf(record)), first, end)));
    // A page of 1 MB can have fewer records than the maximum.
    if (last === undefined || BigInt(last) >= end) break;
  }
  return found;
}

const isBetween = (value: bigint, first: bigint, last: bigint): boolean => first <= value && value <= last;
