import { parentPort, workerData } from 'node:worker_threads';
import type { DynamoDBRecord } from 'aws-lambda';
import { functionThread } from '../functions/thread.ts';
import { streamOfEngine } from './engine.ts';
import { StreamPosition } from './position.ts';
import type { FailedBatch, StreamSettings } from './records.ts';
import { startStreamSource } from './source.ts';

/** The thread of `startStream`. It has the environment of the process that started it. */
const { functionId, trigger, seconds, table, positionPath, databasePath } = workerData as StreamSettings;
const port = parentPort!;
/** A thread of its own, which ends with an invocation that times out. */
const { invoke } = functionThread();

/** The message that Lambda sends. */
function sendFailure(batch: FailedBatch, records: readonly DynamoDBRecord[]): void {
  const arrivalOf = (record: DynamoDBRecord | undefined) =>
    new Date((record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  const message = {
    requestContext: { functionArn: functionId, condition: 'RecordAgeExceeded' },
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

const source = startStreamSource({
  // The API needs a client of the SDK, which takes time to load.
  stream: databasePath ? streamOfEngine(databasePath, table) : (await import('./api.ts')).streamOfApi(table),
  streamArn: table.streamArn,
  position: new StreamPosition(table.streamArn, positionPath),
  batchSize: trigger.batchSize,
  windowMilliseconds: trigger.windowSeconds * 1000,
  maxRecordAge: trigger.stream.maxRecordAge * 1000,
  invoke: (event) => invoke(functionId, event, seconds),
  sendFailure,
});
port.once('message', async () => {
  await source.stop();
  process.exit();
});
process.on('unhandledRejection', console.error);
