import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { feedback } from '../../lib/domain/messages/feedback.ts';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { takeFeedback } from '../../lib/operations/messages/feedback.ts';
import { logger } from '../../lib/runtime/base.ts';
import { consentService } from '../../lib/runtime/consent.ts';
import { onPaused } from '../../lib/runtime/messages-paused.ts';
import { messageReader } from '../../lib/store/aws/queue.ts';

const read = messageReader(feedback);

/** Takes what the provider reports of messages. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { body, messageId } of event.Records) {
    const report = read(body);
    if (!report) {
      logger().error('a report of no message was discarded', { messageId });
      continue;
    }
    const { team: team_id, message: message_id } = report.tags;
    try {
      await takeFeedback({ ...consentService(), onPaused }, report);
    } catch (error) {
      logger().error('a report of a message could not be taken', { team_id, message_id, ...errorFields(error) });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}
