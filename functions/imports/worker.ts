import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../../lib/domain/error-fields.ts';
import { wake } from '../../lib/operations/imports/wake.ts';
import { type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import { logger } from '../../lib/runtime/base.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';
import { parseWake } from '../../lib/store/queue.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that are reserved for the current chunk: with less time left, no other chunk is begun. */
const reserve = 20_000;

/**
 * Works the chunks of the team that the message names, in their order, until there are none or the time is nearly over.
 * In the latter case it sends another wake. If an attempt fails, the message is received again within seconds.
 */
export async function handler({ Records: [record] }: SQSEvent, clock: Clock): Promise<SQSBatchResponse> {
  const message = record && parseWake(record.body);
  if (!record || !message) {
    logger().error('a message that names no team was discarded', { messageId: record?.messageId });
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
    logger().error('an attempt at a chunk failed', { team_id, ...progress, ...errorFields(error) });
  }
  const wait = Math.min(2 ** Number(record.attributes.ApproximateReceiveCount), maxWait);
  // If this fails as well, the message becomes visible again when its visibility timeout ends.
  await importDependencies()
    .queue.postpone(record.receiptHandle, wait)
    .catch((error) => logger().error('a message could not be postponed', { team_id, ...errorFields(error) }));
  return false;
}

/** Maximum seconds until a failed message is received again. The team's chunks wait for it. */
const maxWait = 10;
