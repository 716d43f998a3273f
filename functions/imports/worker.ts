import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../../lib/domain/values/problem.ts';
import type { MetricName, MetricValues } from '../../lib/metrics.ts';
import { workCompletions } from '../../lib/operations/events/work-completions.ts';
import { wake, wakeCompletions } from '../../lib/operations/imports/wake.ts';
import { type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import type { ImportService } from '../../lib/operations/service.ts';
import { logger, metricFields } from '../../lib/runtime/base.ts';
import { completionDependencies } from '../../lib/runtime/completions.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';
import { parseWake, type Wake } from '../../lib/store/aws/queue.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that are reserved for the current chunk: with less time left, no other chunk is begun. */
const reserve = 20_000;

/** Milliseconds of a turn of a team's work on completions, so that it does not keep a worker from other teams. */
const turn = 20_000;

/**
 * Works the chunks of the team that the message names, in their order, or its work on completions, until there is nothing
 * or the time is nearly over. In the latter case it sends another wake. If an attempt fails, the message is received again
 * within seconds.
 */
export async function handler({ Records: [record] }: SQSEvent, clock: Clock): Promise<SQSBatchResponse> {
  const message = record && parseWake(record.body);
  if (!record || !message) {
    logger().error('a message that names no team was discarded', { messageId: record?.messageId });
    return { batchItemFailures: [] };
  }
  const isDone = await (message.work === 'completions' ? complete : work)(record, message, clock);
  return { batchItemFailures: isDone ? [] : [{ itemIdentifier: record.messageId }] };
}

async function work(record: SQSRecord, { team_id, request_id }: Wake, clock: Clock): Promise<boolean> {
  const hasTime = () => clock.getRemainingTimeInMillis() > reserve;
  const progress: Progress = { chunks: 0, records: 0 };
  const ids = { team_id, ...(request_id === undefined ? {} : { requestId: request_id }) };
  const counts: MetricValues = { wakes: 1 };
  const dependencies = {
    ...importDependencies(),
    onClosed: (outcome: ClosedChunk) => count(counts, outcome),
    onRecordFailure: (error: unknown) =>
      logger().error('a record was rejected: the code failed on it', { ...ids, ...progress, ...errorFields(error) }),
  };
  const measured = () => metricFields([{ function: 'import-worker' }], counts);
  try {
    const report = await workTeam(dependencies, team_id, hasTime, { progress });
    logger().info('chunks were worked', { ...ids, ...report, ...measured() });
    if (report.outcome === 'empty' || (await wake(dependencies, team_id, request_id))) return true;
  } catch (error) {
    logger().error('an attempt at a chunk failed', { ...ids, ...progress, ...errorFields(error), ...measured() });
  }
  return postponed(record, ids);
}

async function complete(record: SQSRecord, { team_id }: Wake, clock: Clock): Promise<boolean> {
  const end = Math.max(clock.getRemainingTimeInMillis() - turn, reserve);
  const onContactFailure = (error: unknown, contact_id: string, template_id?: string) =>
    logger().error('the completions or counts of a contact were passed over', {
      ...{ team_id, contact_id, template_id, ...errorFields(error) },
      ...metricFields([{ function: 'import-worker' }], { contacts_passed_over: 1 }),
    });
  try {
    const dependencies = { ...completionDependencies(), onContactFailure };
    const outcome = await workCompletions(dependencies, team_id, () => clock.getRemainingTimeInMillis() > end);
    if (outcome === 'empty' || (await wakeCompletions(importDependencies(), team_id))) return true;
  } catch (error) {
    logger().error('completions could not be recorded', { team_id, ...errorFields(error) });
  }
  return postponed(record, { team_id });
}

/** If this fails as well, the message becomes visible again when its visibility timeout ends. */
async function postponed(record: SQSRecord, ids: Record<string, string>): Promise<false> {
  const wait = Math.min(2 ** Number(record.attributes.ApproximateReceiveCount), maxWait);
  await importDependencies()
    .queue.postpone(record.receiptHandle, wait)
    .catch((error) => logger().error('a message could not be postponed', { ...ids, ...errorFields(error) }));
  return false;
}

type ClosedChunk = Parameters<NonNullable<ImportService['onClosed']>>[0];

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

/** Maximum seconds until a failed message is received again. The team's work waits for it. */
const maxWait = 10;
