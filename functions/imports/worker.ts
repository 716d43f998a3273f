import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../../lib/domain/problem.ts';
import type { MetricName, MetricValues } from '../../lib/metrics.ts';
import { wake } from '../../lib/operations/imports/wake.ts';
import { type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import type { ImportDependencies } from '../../lib/operations/service.ts';
import { logger, metricFields } from '../../lib/runtime/base.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';
import { parseWake, type Wake } from '../../lib/store/queue.ts';

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
  const isDone = await work(record, message, clock);
  return { batchItemFailures: isDone ? [] : [{ itemIdentifier: record.messageId }] };
}

async function work(record: SQSRecord, { team_id, request_id }: Wake, clock: Clock): Promise<boolean> {
  const hasTime = () => clock.getRemainingTimeInMillis() > reserve;
  const progress: Progress = { chunks: 0, records: 0 };
  const ids = { team_id, ...(request_id === undefined ? {} : { requestId: request_id }) };
  const counts: MetricValues = { wakes: 1 };
  const dependencies = {
    ...importDependencies(),
    ...ids,
    onClosed: (outcome: ClosedChunk) => count(counts, outcome),
    onRecordFailure: (error: unknown) =>
      logger().error('a record was rejected: the code failed on it', { ...ids, ...progress, ...errorFields(error) }),
  };
  const measured = () => metricFields([{ function: 'import-worker' }], counts);
  try {
    const report = await workTeam(dependencies, team_id, hasTime, { progress });
    logger().info('chunks were worked', { ...ids, ...report, ...measured() });
    if (report.outcome === 'empty' || (await wake(dependencies, team_id))) return true;
  } catch (error) {
    logger().error('an attempt at a chunk failed', { ...ids, ...progress, ...errorFields(error), ...measured() });
  }
  const wait = Math.min(2 ** Number(record.attributes.ApproximateReceiveCount), maxWait);
  // If this fails as well, the message becomes visible again when its visibility timeout ends.
  await dependencies.queue
    .postpone(record.receiptHandle, wait)
    .catch((error) => logger().error('a message could not be postponed', { ...ids, ...errorFields(error) }));
  return false;
}

type ClosedChunk = Parameters<NonNullable<ImportDependencies['onClosed']>>[0];

/** Chunks that were closed before an attempt failed are counted too. */
function count(counts: MetricValues, outcome: ClosedChunk): void {
  const add = (name: MetricName, by: number) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  if (outcome === 'failed') {
    add('chunks_given_up', 1);
    return;
  }
  add('chunks_completed', 1);
  add('records_applied', outcome.applied);
  add('records_unchanged', outcome.unchanged);
  add('records_superseded', outcome.superseded);
  add('records_rejected', outcome.rejected);
}

/** Maximum seconds until a failed message is received again. The team's chunks wait for it. */
const maxWait = 10;
