import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { publishBatch } from '../../lib/operations/events/publish.ts';
import { publishService } from '../../lib/runtime/events.ts';

/** Tells what changed in the table. Lambda passes the records again from the first one that failed. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const failed = await publishBatch(publishService(), Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
