import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type DroppedFile, isDropped, ownerOfDrop } from '../../lib/domain/drop-box/drop.ts';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { logger } from '../../lib/runtime/base.ts';
import { dropBucket, dropQueue } from '../../lib/runtime/drop-queue.ts';
import { objectsIn } from '../../lib/store/drop-box/object-events.ts';
import { derivedFileId } from '../../lib/store/table/ids.ts';

/** Sends the files that bucket events name to the queue of dropped files. It keeps the order of each team's files. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { body, messageId } of event.Records) {
    let current: DroppedFile | undefined;
    try {
      for (const file of objectsIn(body, dropBucket()).filter(({ key }) => isDropped(key))) {
        current = file;
        await dropQueue().send(file);
      }
    } catch (error) {
      const ids = { messageId, ...(current ? idsOf(current) : {}) };
      logger().error('a notice of the drop box could not be forwarded', { ...ids, ...errorFields(error) });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}

/** Names of files can contain names of people, so they are not logged. */
const idsOf = ({ key, version }: DroppedFile) => ({ team_id: ownerOfDrop(key), file_id: derivedFileId(key, version) });
