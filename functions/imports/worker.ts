import { errorFields } from '../../lib/domain/values/problem.ts';
import type { MetricName, MetricValues } from '../../lib/metrics.ts';
import { workCompletions } from '../../lib/operations/events/work-completions.ts';
import { type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import type { ImportService } from '../../lib/operations/service.ts';
import { logger, metricFields } from '../../lib/runtime/base.ts';
import { completionService } from '../../lib/runtime/completions.ts';
import { importService } from '../../lib/runtime/imports.ts';
import { type LaneWorker, laneHandler } from '../../lib/runtime/lane-worker.ts';
import { teamQueue } from '../../lib/runtime/waiting-work.ts';

/** Milliseconds that are reserved for the current chunk: with less time left, no other chunk is begun. */
const reserve = 20_000;

const imports: LaneWorker = {
  reserve,
  begin({ lane: { team_id }, hasTime, requestId }) {
    const progress: Progress = { chunks: 0, records: 0 };
    const ids = { team_id, ...(requestId === undefined ? {} : { requestId }) };
    const counts: MetricValues = { wakes: 1 };
    const onRecordFailure = (error: unknown) =>
      logger().error('a record was rejected: the code failed on it', { ...ids, ...progress, ...errorFields(error) });
    const service = { ...importService(), onClosed: counter(counts), onRecordFailure };
    const measured = () => metricFields([{ function: 'import-worker' }], counts);
    return {
      work: async () => {
        const report = await workTeam(service, team_id, hasTime, { progress });
        logger().info('chunks were worked', { ...ids, ...report, ...measured() });
        return report.outcome;
      },
      onFailure: (error) =>
        logger().error('an attempt at a chunk failed', { ...ids, ...progress, ...errorFields(error), ...measured() }),
    };
  },
};

const completions: LaneWorker = {
  reserve,
  // A team with much of this work keeps no worker from other teams.
  longest: 20_000,
  begin({ lane: { team_id }, hasTime }) {
    const onContactFailure = (error: unknown, contact_id: string, template_id?: string) =>
      logger().error('the completions or counts of a contact were passed over', {
        ...{ team_id, contact_id, template_id, ...errorFields(error) },
        ...metricFields([{ function: 'import-worker' }], { contacts_passed_over: 1 }),
      });
    return {
      work: () => workCompletions({ ...completionService(), onContactFailure }, team_id, hasTime),
      onFailure: (error) => logger().error('completions could not be recorded', { team_id, ...errorFields(error) }),
    };
  },
};

/** Works the chunks of a team, in their order, or its completions that wait. */
export const handler = laneHandler(teamQueue, { imports, completions });

type ClosedChunk = Parameters<NonNullable<ImportService['onClosed']>>[0];

/** Chunks that were closed before an attempt failed are counted too. */
const counter =
  (counts: MetricValues) =>
  (outcome: ClosedChunk): void => {
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
  };
