import {
  type _Record,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type ShardIteratorType,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { tableStream } from '../../lib/background.ts';

/** The maximum of GetRecords. */
export const recordsPerRead = 1000;

const exact = new Set<string>();
const prefixes: string[] = [];
for (const each of tableStream.sortKeys) {
  if (typeof each === 'string') exact.add(each);
  else prefixes.push(each.prefix);
}

/** What the filter of the event source mapping does. */
export const passesFilter = ({ dynamodb }: _Record): boolean => {
  const sortKey = dynamodb?.Keys?.sk?.S ?? '';
  return exact.has(sortKey) || prefixes.some((prefix) => sortKey.startsWith(prefix));
};

/** The record as Lambda passes it to a function. The items that pass the filter have no binary attributes. */
export function lambdaRecord({ dynamodb, ...record }: _Record, eventSourceARN: string): DynamoDBRecord {
  const seconds = Math.floor((dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000);
  return {
    ...record,
    eventSourceARN,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: seconds },
  } as DynamoDBRecord;
}

export const sequenceOf = ({ dynamodb }: DynamoDBRecord | _Record): string => dynamodb?.SequenceNumber ?? '';

export async function shardIterator(
  client: DynamoDBStreamsClient,
  { streamArn, shardId }: { streamArn: string; shardId: string },
  type: ShardIteratorType,
  sequenceNumber?: string,
): Promise<string | undefined> {
  const { ShardIterator } = await client.send(
    new GetShardIteratorCommand({
      StreamArn: streamArn,
      ShardId: shardId,
      ShardIteratorType: type,
      SequenceNumber: sequenceNumber,
    }),
  );
  return ShardIterator;
}

/** What the message of the on-failure queue says about a batch. */
export type FailedBatch = {
  streamArn: string;
  shardId: string;
  startSequenceNumber: string;
  endSequenceNumber: string;
};

/** The records of a failed batch that pass the filter. @throws TrimmedDataAccessException if they are older than a day */
export async function recordsOfBatch(client: DynamoDBStreamsClient, batch: FailedBatch): Promise<DynamoDBRecord[]> {
  const found: DynamoDBRecord[] = [];
  const last = BigInt(batch.endSequenceNumber);
  let iterator = await shardIterator(client, batch, 'AT_SEQUENCE_NUMBER', batch.startSequenceNumber);
  while (iterator !== undefined) {
    const { Records = [], NextShardIterator } = await client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: recordsPerRead }),
    );
    for (const record of Records) {
      if (BigInt(sequenceOf(record)) > last) return found;
      if (passesFilter(record)) found.push(lambdaRecord(record, batch.streamArn));
    }
    if (Records.length === 0 || BigInt(sequenceOf(Records.at(-1)!)) >= last) break;
    iterator = NextShardIterator;
  }
  return found;
}
