import type { Context } from 'aws-lambda';
import { errorFields } from '../../lib/domain/problem.ts';
import { deviatingFiles } from '../../lib/operations/drop-box/expected.ts';
import { type SweepReport, sweep } from '../../lib/operations/imports/sweep.ts';
import { logged, logger, metricFields } from '../../lib/runtime/base.ts';
import { importDependencies, wait } from '../../lib/runtime/imports.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that are reserved for the expected files: with less time left, no wake is repeated. */
const reserve = 15_000;

/**
 * Runs on a schedule. It also looks for expected files that have not arrived. `{ "all": true }` wakes every team that
 * has work, for a queue that has just started empty.
 */
export async function handler(event: { all?: boolean }, clock: Clock): Promise<SweepReport> {
  const hasTime = () => clock.getRemainingTimeInMillis() > reserve;
  const report = await logged('a sweep failed', {}, () =>
    sweep(importDependencies(), { all: event.all === true, repeat: { hasTime, wait } }, onFailure),
  );
  const { woken, not_woken, chunks_failed, teams_late, oldest_open_chunk } = report;
  if (woken + not_woken > 0) logger().warn('teams with waiting chunks were woken', { woken, not_woken });
  if (chunks_failed > 0) logger().warn('there are failed chunks', { chunks_failed });
  if (teams_late > 0) logger().warn('teams have chunks that have waited for half an hour', { teams_late });
  const files = await logged('the expected files could not be checked', {}, () => deviatingFiles(importDependencies()));
  for (const { team_id, type, by, time_zone, state } of files) {
    logger().warn('an expected file is missing, failed or not as expected', { team_id, type, by, time_zone, state });
  }
  const files_missing = files.filter(({ state }) => state === 'missing').length;
  const of_files = { files_missing, files_unexpected: files.length - files_missing };
  const values = { chunks_failed, teams_late, teams_woken: woken, oldest_open_chunk, ...of_files };
  logger().info('a sweep ended', { not_woken, ...metricFields([{ function: 'import-sweeper' }], values) });
  return report;
}

const onFailure = (team_id: string, error: unknown) =>
  logger().error('a team could not be swept', { team_id, ...errorFields(error) });
