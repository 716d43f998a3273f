import { errorFields } from '../../lib/domain/error-fields.ts';
import { missingFiles } from '../../lib/operations/drop-box/expected.ts';
import { type SweepReport, sweep } from '../../lib/operations/imports/sweep.ts';
import { logged, logger, metricFields } from '../../lib/runtime/base.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';

/** Runs on a schedule. It also looks for expected files that have not arrived. `{ "all": true }` wakes every team that has work, for a queue that has just started empty. */
export async function handler(event: { all?: boolean } = {}): Promise<SweepReport> {
  const report = await logged('a sweep failed', {}, () =>
    sweep(importDependencies(), { all: event.all === true }, onFailure),
  );
  const { woken, not_woken, chunks_failed, teams_late, oldest_open_chunk } = report;
  if (woken + not_woken > 0) logger().warn('teams with waiting chunks were woken', { woken, not_woken });
  if (chunks_failed > 0) logger().warn('there are failed chunks', { chunks_failed });
  if (teams_late > 0) logger().warn('teams have chunks that have waited for half an hour', { teams_late });
  const missing = await logged('the expected files could not be checked', {}, () => missingFiles(importDependencies()));
  for (const { team_id, type, by, time_zone } of missing) {
    logger().warn('an expected file has not arrived', { team_id, type, by, time_zone });
  }
  const values = { chunks_failed, teams_late, teams_woken: woken, oldest_open_chunk, files_missing: missing.length };
  logger().info('a sweep ended', { not_woken, ...metricFields([{ function: 'import-sweeper' }], values) });
  return report;
}

const onFailure = (team_id: string, error: unknown) =>
  logger().error('a team could not be swept', { team_id, ...errorFields(error) });
