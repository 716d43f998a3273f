import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { workChunk } from '../../lib/operations/imports/work.ts';
import { logger } from '../../lib/runtime/base.ts';
import { imports } from '../../lib/runtime/imports.ts';
import { parseHandOver } from '../../lib/store/queue.ts';

/** Seconds until the next attempt: soon at first, and no longer than a minute, since the team's next chunks wait. */
const waitBeforeAttempt = (received: number): number => Math.min(2 ** received, 60);

/** Works the chunks that the messages name. A failed message comes again soon, and holds back only those after it. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  for (const [position, record] of event.Records.entries()) {
    if (!(await attempt(record))) {
      const left = event.Records.slice(position);
      return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }
  }
  return { batchItemFailures: [] };
}

async function attempt(record: SQSRecord): Promise<boolean> {
  const message = parseHandOver(record.body);
  if (!message) {
    logger().error('a message that names no claim was dropped', { messageId: record.messageId });
    return true;
  }
  const { team_id, batch_id, claim } = message;
  try {
    const outcome = await workChunk(imports(), message);
    logger().info('import attempt', { team_id, claim, outcome });
    return true;
  } catch (error) {
    logger().error('import attempt broke off', { team_id, batch_id, claim, error: (error as Error).name });
    const received = Number(record.attributes.ApproximateReceiveCount);
    // Should this fail as well, the message is seen again when its visibility timeout ends.
    await imports()
      .queue.postpone(record.receiptHandle, waitBeforeAttempt(received))
      .catch(() => undefined);
    return false;
  }
}
