import { parentPort, workerData } from 'node:worker_threads';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { guardFiles } from '../../lib/runtime/drop-box.ts';
import { guardTable } from '../../lib/runtime/table.ts';
import { queueClient } from '../../lib/store/aws-clients.ts';
import { longRequests } from '../../lib/store/connections.ts';
import { localAccess } from './environment.ts';
import { serviceFunctions } from './functions.ts';
import { invoker } from './invoke.ts';
import { guarded, guardedFiles } from './permissions.ts';
import type { StreamSettings } from './stream.ts';
import { StreamPosition } from './stream-position.ts';
import type { FailedBatch } from './stream-records.ts';
import { startStreamSource } from './stream-source.ts';
import { streamTrimmer } from './stream-table.ts';

/** The thread of `startStream`. It has the environment of the process that started it. */
guardTable(guarded);
guardFiles(guardedFiles);
const { functionId, trigger, seconds, table, failures, positionPath, databasePath } = workerData as StreamSettings;
const position = new StreamPosition(table.streamArn, positionPath);
const invoke = invoker(serviceFunctions());
const sqs = queueClient({ ...localAccess, endpoint: failures.endpoint });

/** The message that Lambda sends. */
async function sendFailure(batch: FailedBatch, records: readonly DynamoDBRecord[]): Promise<void> {
  const arrivalOf = (record: DynamoDBRecord | undefined) =>
    new Date((record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  const message = {
    requestContext: { functionArn: functionId, condition: 'RetryAttemptsExhausted' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      ...batch,
      approximateArrivalOfFirstRecord: arrivalOf(records[0]),
      approximateArrivalOfLastRecord: arrivalOf(records.at(-1)),
      batchSize: records.length,
    },
  };
  await sqs.send(new SendMessageCommand({ QueueUrl: failures.url, MessageBody: JSON.stringify(message) }));
}

const trimEvery = 1000;
let trimmedAt = 0;
const trimRecords = databasePath === undefined ? undefined : streamTrimmer(databasePath, table.name);
function trim(): void {
  if (Date.now() < trimmedAt + trimEvery) return;
  trimmedAt = Date.now();
  trimRecords?.(position.worked);
}

const source = startStreamSource({
  client: new DynamoDBStreamsClient({ ...localAccess, endpoint: table.endpoint, requestHandler: longRequests }),
  streamArn: table.streamArn,
  position,
  windowMilliseconds: trigger.windowSeconds * 1000,
  retries: trigger.stream.retries,
  invoke: (event) => invoke(functionId, event, seconds),
  sendFailure,
  trim,
});
parentPort?.once('message', async (graceMilliseconds: number) => {
  await source.stop(graceMilliseconds);
  process.exit();
});
process.on('unhandledRejection', console.error);
