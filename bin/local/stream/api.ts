import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { longRequests } from '../../../lib/store/aws/connections.ts';
import { localAccess } from '../functions/environment.ts';
import {
  passesFilter,
  recordsPerRead,
  type StreamPage,
  type StreamShard,
  type StreamStart,
  type TableStream,
} from './records.ts';

/** A stream of DynamoDB, read by its API: of a local service with this endpoint, or else with the access of the terminal. */
export function streamOfApi({ endpoint, streamArn }: { endpoint?: string; streamArn: string }): TableStream {
  const access = endpoint === undefined ? {} : { ...localAccess, endpoint };
  const client = new DynamoDBStreamsClient({ ...access, requestHandler: longRequests });
  return {
    shards: () => shardsOf(client, streamArn),
    pages: (shardId, start) => pagesOf(client, streamArn, shardId, start),
  };
}

async function shardsOf(client: DynamoDBStreamsClient, StreamArn: string): Promise<StreamShard[]> {
  let shards: StreamShard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }));
    const page = StreamDescription?.Shards ?? [];
    shards = shards.concat(
      page.map(({ ShardId = '', ParentShardId: parent, SequenceNumberRange: range }) => {
        return { id: ShardId, parent, first: range?.StartingSequenceNumber, last: range?.EndingSequenceNumber };
      }),
    );
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return shards;
}

async function* pagesOf(
  client: DynamoDBStreamsClient,
  streamArn: string,
  shardId: string,
  start: StreamStart | undefined,
): AsyncGenerator<StreamPage> {
  let ShardIterator = await iteratorOf(client, streamArn, shardId, start);
  while (ShardIterator !== undefined) {
    const { Records = [], NextShardIterator } = await client.send(
      new GetRecordsCommand({ ShardIterator, Limit: recordsPerRead }),
    );
    ShardIterator = NextShardIterator;
    yield {
      records: Records.filter(({ dynamodb }) => passesFilter(dynamodb?.Keys?.sk?.S ?? '')).map((record) =>
        lambdaRecord(record, streamArn),
      ),
      last: Records.at(-1)?.dynamodb?.SequenceNumber,
      isFull: Records.length === recordsPerRead,
    };
  }
}

async function iteratorOf(
  client: DynamoDBStreamsClient,
  StreamArn: string,
  ShardId: string,
  start: StreamStart | undefined,
): Promise<string | undefined> {
  const oldest = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
  const type = start?.isWorked ? 'AFTER_SEQUENCE_NUMBER' : 'AT_SEQUENCE_NUMBER';
  const wanted = start ? ({ ...oldest, ShardIteratorType: type, SequenceNumber: start.sequence } as const) : oldest;
  try {
    return (await client.send(new GetShardIteratorCommand(wanted))).ShardIterator;
  } catch (error) {
    // No record of this shard has the number.
    if (start && !start.isWorked && (error as Error).name === 'ValidationException') return undefined;
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    return (await client.send(new GetShardIteratorCommand(oldest))).ShardIterator;
  }
}

/** The record as Lambda passes it to a function. The items that pass the filter have no binary attributes. */
function lambdaRecord({ dynamodb, ...record }: _Record, eventSourceARN: string): DynamoDBRecord {
  const seconds = Math.floor((dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000);
  return {
    ...record,
    eventSourceARN,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: seconds },
  } as DynamoDBRecord;
}
