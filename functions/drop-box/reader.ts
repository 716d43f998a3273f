import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { ownerOfDrop } from '../../lib/domain/drop-box/drop.ts';
import type { DropReport } from '../../lib/domain/drop-box/drop-report.ts';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { type DropMessage, type Reception, receiveFile } from '../../lib/operations/drop-box/receive.ts';
import { logger, metricFields } from '../../lib/runtime/base.ts';
import { dropService } from '../../lib/runtime/drop-box.ts';
import { dropQueue } from '../../lib/runtime/drop-queue.ts';
import { parseDroppedFile } from '../../lib/store/drop-box/drop-queue.ts';
import { derivedFileId } from '../../lib/store/table/ids.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Works the file that the message names. If the file is not done, the message is received again. */
export async function handler({ Records: [record] }: SQSEvent, clock: Clock): Promise<SQSBatchResponse> {
  const file = record && parseDroppedFile(record.body);
  if (!record || !file) {
    logger().error('a message that names no file was discarded', { messageId: record?.messageId });
    return { batchItemFailures: [] };
  }
  const { messageId: id, receiptHandle: receipt, attributes } = record;
  const message: DropMessage = { file, id, receipt, received: Number(attributes.ApproximateReceiveCount) };
  let report: DropReport | undefined;
  const onReport = (written: DropReport) => {
    report = written;
  };
  let failures = 0;
  const onRowFailure = (error: unknown) => {
    if (++failures <= maxLoggedFailures) logger().error('a row was rejected: the code failed on it', logged(error));
  };
  const logged = (error: unknown) => ({ ...idsOf(message), ...errorFields(error) });
  const service = { ...dropService(), dropQueue: dropQueue(), onReport, onRowFailure };
  const reception = await receiveFile(service, message, () => clock.getRemainingTimeInMillis());
  log(message, reception, report);
  return { batchItemFailures: reception.isDone ? [] : [{ itemIdentifier: id }] };
}

/** Most rows for which one invocation logs an error: the code can fail on every row of a file. */
const maxLoggedFailures = 10;

/** Names of files can contain names of people, so they are not logged. */
const idsOf = ({ file: { key, version }, received }: DropMessage) => ({
  team_id: ownerOfDrop(key),
  file_id: derivedFileId(key, version),
  received,
});

function log(message: DropMessage, reception: Reception, report?: DropReport): void {
  const ids = idsOf(message);
  if ('error' in reception) {
    logger().error('an attempt at a dropped file failed', { ...ids, ...errorFields(reception.error) });
    return;
  }
  const { outcome } = reception;
  logger().info('an attempt at a dropped file ended', { ...ids, outcome, ...(report ? ended(report) : {}) });
  if (outcome === 'given up') logger().warn('a dropped file was given up', ids);
}

/** The reason is not logged, because it may quote the file. */
function ended({ status, type, rows, failed_chunks }: DropReport): Record<string, unknown> {
  if (status === 'repeated') return { status, type };
  const files = status === 'completed' ? { files_completed: 1 } : { files_failed: 1 };
  const share = rows.read > 0 ? { rows_rejected_percent: (100 * rows.rejected) / rows.read } : {};
  const measured = metricFields([{ function: 'drop-box-reader' }], { ...files, ...share });
  return { status, type, rows, failed_chunks: failed_chunks.length, ...measured };
}
