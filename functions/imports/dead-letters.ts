import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { failChunk } from '../../lib/operations/imports/work.ts';
import { logger } from '../../lib/runtime/base.ts';
import { runtime } from '../../lib/runtime/table.ts';
import { parseHandOver } from '../../lib/store/queue.ts';

/** Marks the chunks failed whose messages the import queue has given up, so that they stand in plain sight. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { body, messageId } of event.Records) {
    const message = parseHandOver(body);
    if (!message) {
      logger().error('a message that names no claim was dropped', { messageId });
      continue;
    }
    try {
      await failChunk(runtime(), message, 'its message ended in the dead-letter queue');
    } catch (error) {
      logger().error('a dead letter could not be handled', { messageId, error: (error as Error).name });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}
