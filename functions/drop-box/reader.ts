import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type DroppedFile, hasReport, ownerOfDrop } from '../../lib/domain/drop.ts';
import { Overtaken } from '../../lib/operations/drop-box/state.ts';
import { workFile } from '../../lib/operations/drop-box/work.ts';
import { logger } from '../../lib/runtime/base.ts';
import { dropBox } from '../../lib/runtime/drop-box.ts';
import { dropQueue } from '../../lib/runtime/drop-queue.ts';
import { parseDroppedFile } from '../../lib/store/drop-queue.ts';
import { derivedFileId } from '../../lib/store/keys.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that a chunk under way, and keeping the place, may still take. */
const reserve = 30_000;

/**
 * Reads the file that the message names. One that is not done stays at the head of its team's queue: its message comes
 * again, at once or after a while.
 */
export async function handler({ Records: [record] }: SQSEvent, clock: Clock): Promise<SQSBatchResponse> {
  const file = record && parseDroppedFile(record.body);
  if (!record || !file || !hasReport(file.key)) {
    logger().error('a message that names no file was dropped', { messageId: record?.messageId });
    return { batchItemFailures: [] };
  }
  const isDone = await attempt(record, file, clock);
  return { batchItemFailures: isDone ? [] : [{ itemIdentifier: record.messageId }] };
}

async function attempt(record: SQSRecord, { key, version }: DroppedFile, clock: Clock): Promise<boolean> {
  // Names of files may name people.
  const ids = { team_id: ownerOfDrop(key), file_id: derivedFileId(key, version) };
  const comeAgain = (seconds: number) => dropQueue().postpone(record.receiptHandle, seconds);
  try {
    // Should this invocation be killed, the next need not wait for the queue's own timeout.
    await comeAgain(Math.ceil(clock.getRemainingTimeInMillis() / 1000) + 10);
    const outcome = await workFile(dropBox(), { key, version }, () => clock.getRemainingTimeInMillis() > reserve);
    logger().info('a dropped file was worked', { ...ids, outcome });
    if (typeof outcome === 'number') await comeAgain(outcome);
    // An alarm of the stack counts this field.
    if (outcome === 'given up') logger().warn('a dropped file was given up', { ...ids, files_given_up: 1 });
    return typeof outcome !== 'number';
  } catch (error) {
    const { name } = error as Error;
    logger().error('the reading of a dropped file broke off', { ...ids, error: name });
    // Whoever overtook this attempt has the message now.
    if (!(error instanceof Overtaken)) await comeAgain(waitBeforeAttempt(record)).catch(() => undefined);
    return false;
  }
}

/** Seconds until the next attempt: soon at first, and no longer than a minute, since the team's next files wait. */
const waitBeforeAttempt = ({ attributes }: SQSRecord): number =>
  Math.min(2 ** Number(attributes.ApproximateReceiveCount), 60);
