import { parentPort, workerData } from 'node:worker_threads';
import type { DynamoDBRecord } from 'aws-lambda';
import { serviceInvoker } from './functions.ts';
import type { StreamSettings } from './stream.ts';
import { streamOfEngine } from './stream-engine.ts';
import { StreamPosition } from './stream-position.ts';
import type { FailedBatch } from './stream-records.ts';
import { startStreamSource } from './stream-source.ts';

/** The thread of `startStream`. It has the environment of the process that started it. */
const { functionId, trigger, seconds, table, positionPath, databasePath } = workerData as StreamSettings;
const port = parentPort!;
const position = new StreamPosition(table.streamArn, positionPath);
const invoke = serviceInvoker();
const inFile = databasePath === undefined ? undefined : streamOfEngine(databasePath, table);

/** The message that Lambda sends. */
function sendFailure(batch: FailedBatch, records: readonly DynamoDBRecord[]): void {
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
  port.postMessage(JSON.stringify(message));
}

const trimEvery = 1000;
let trimmedAt = 0;
function trim(): void {
  if (Date.now() < trimmedAt + trimEvery) return;
  trimmedAt = Date.now();
  inFile?.trim(position.worked);
}

const source = startStreamSource({
  // The API needs a client of the SDK, which takes time to load.
  stream: inFile ?? (await import('./stream-api.ts')).streamOfApi(table),
  streamArn: table.streamArn,
  position,
  windowMilliseconds: trigger.windowSeconds * 1000,
  retries: trigger.stream.retries,
  invoke: (event) => invoke(functionId, event, seconds),
  sendFailure,
  trim,
});
port.once('message', async (graceMilliseconds: number) => {
  await source.stop(graceMilliseconds);
  process.exit();
});
process.on('unhandledRejection', console.error);
