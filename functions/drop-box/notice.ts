import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { isDropped } from '../../lib/domain/drop.ts';
import { logger } from '../../lib/runtime/base.ts';
import { dropBucket, dropQueue } from '../../lib/runtime/drop-queue.ts';
import { objectsIn } from '../../lib/store/object-events.ts';

/** Puts files that the bucket tells of into the queue where they wait for those of their team before them. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { body, messageId } of event.Records) {
    try {
      for (const file of objectsIn(body, dropBucket())) if (isDropped(file.key)) await dropQueue().send(file);
    } catch (error) {
      logger().error('a notice of the drop box could not be handed on', { messageId, error: (error as Error).name });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}
