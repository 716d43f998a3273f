import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type DroppedFile, isDropped, ownerOfDrop } from '../../lib/domain/drop.ts';
import { errorFields } from '../../lib/domain/error-fields.ts';
import { logger } from '../../lib/runtime/base.ts';
import { dropBucket, dropQueue } from '../../lib/runtime/drop-queue.ts';
import { derivedFileId } from '../../lib/store/keys.ts';
import { objectsIn } from '../../lib/store/object-events.ts';

/** Puts files that the bucket tells of into the queue where they wait for those of their team before them. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { body, messageId } of event.Records) {
    let at: DroppedFile | undefined;
    try {
      for (const file of objectsIn(body, dropBucket()).filter(({ key }) => isDropped(key))) {
        at = file;
        await dropQueue().send(file);
      }
    } catch (error) {
      const ids = { messageId, ...(at ? idsOf(at) : {}) };
      logger().error('a notice of the drop box could not be handed on', { ...ids, ...errorFields(error) });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}

/** Names of files may name people. */
const idsOf = ({ key, version }: DroppedFile) => ({ team_id: ownerOfDrop(key), file_id: derivedFileId(key, version) });
