import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../../lib/domain/error-fields.ts';
import { wake } from '../../lib/operations/imports/wake.ts';
import { type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import { logger } from '../../lib/runtime/base.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';
import { parseWake } from '../../lib/store/queue.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that a chunk under way may still take when the next is not begun any more. */
const reserve = 20_000;

/**
 * Works the chunks of the team that the message names, in their order, until there are none or its time is nearly over;
 * then it wakes the next. A message that fails comes again soon.
 */
export async function handler({ Records: [record] }: SQSEvent, clock: Clock): Promise<SQSBatchResponse> {
  const message = record && parseWake(record.body);
  if (!record || !message) {
    logger().error('a message that names no team was dropped', { messageId: record?.messageId });
    return { batchItemFailures: [] };
  }
  const isDone = await work(record, message.team_id, clock);
  return { batchItemFailures: isDone ? [] : [{ itemIdentifier: record.messageId }] };
}

async function work(record: SQSRecord, team_id: string, clock: Clock): Promise<boolean> {
  const hasTime = () => clock.getRemainingTimeInMillis() > reserve;
  const progress: Progress = { chunks: 0, records: 0 };
  try {
    const report = await workTeam(importDependencies(), team_id, hasTime, { progress });
    logger().info('chunks were worked', { team_id, ...report });
    if (report.outcome === 'empty' || (await wake(importDependencies(), team_id))) return true;
  } catch (error) {
    logger().error('an attempt at a chunk broke off', { team_id, ...progress, ...errorFields(error) });
  }
  const wait = Math.min(2 ** Number(record.attributes.ApproximateReceiveCount), maxWait);
  // Should this fail as well, the message is seen again when its visibility timeout ends.
  await importDependencies()
    .queue.postpone(record.receiptHandle, wait)
    .catch((error) => logger().error('a message could not be postponed', { team_id, ...errorFields(error) }));
  return false;
}

/** Seconds. The team waits meanwhile. */
const maxWait = 10;
