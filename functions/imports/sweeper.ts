import { type SweepReport, sweep } from '../../lib/operations/imports/sweep.ts';
import { logger } from '../../lib/runtime/base.ts';
import { imports } from '../../lib/runtime/imports.ts';

/** Runs on a schedule. `{ "all": true }` wakes every team that has work, for a queue that has just started empty. */
export async function handler(event: { all?: boolean } = {}): Promise<SweepReport> {
  const report = await sweep(imports(), { all: event.all === true });
  if (report.woken + report.not_woken > 0) logger().warn('teams with waiting chunks were woken', report);
  // Alarms of the stack count these fields.
  const { chunks_failed, teams_late } = report;
  if (chunks_failed > 0) logger().warn('chunks stand failed', { chunks_failed });
  if (teams_late > 0) logger().warn('chunks wait for half an hour and more', { teams_late });
  return report;
}
