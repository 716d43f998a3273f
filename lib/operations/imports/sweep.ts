import { isLate, needsWake } from '../../domain/chunk.ts';
import { loadWork } from '../../store/import-work.ts';
import { listTeamIds } from '../../store/teams.ts';
import type { ImportDependencies } from './dependencies.ts';
import { wake } from './wake.ts';

export type SweepReport = {
  /** Teams that were woken. */
  woken: number;
  /** Teams with work whose wake could not be sent; the next sweep tries again. */
  not_woken: number;
  /** Teams whose oldest open chunk has waited for half an hour. */
  teams_late: number;
  /** Chunks of all teams that stand failed. */
  chunks_failed: number;
};

/** Teams that are looked at at once. */
const atOnce = 8;

/**
 * Wakes each team whose open chunks wait although no worker is at them: their wake was lost, or whoever accepted them
 * died before it. With `all`, each team that has open chunks: for a queue that has just started empty.
 * @param onFailure told of the team at which the sweep breaks off
 */
export async function sweep(
  dependencies: ImportDependencies,
  { all }: { all: boolean },
  onFailure: (teamId: string, error: unknown) => void = () => {},
): Promise<SweepReport> {
  const report: SweepReport = { woken: 0, not_woken: 0, teams_late: 0, chunks_failed: 0 };
  const teams = (await listTeamIds(dependencies.database))[Symbol.iterator]();
  const lane = async () => {
    for (const teamId of teams) {
      await sweepTeam(dependencies, teamId, all, report).catch((error) => {
        onFailure(teamId, error);
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return report;
}

async function sweepTeam(
  dependencies: ImportDependencies,
  teamId: string,
  all: boolean,
  report: SweepReport,
): Promise<void> {
  const { database, now } = dependencies;
  const { state, open } = await loadWork(database, teamId, 1);
  report.chunks_failed += state.failed;
  const [oldest] = open;
  if (oldest && isLate(oldest, now())) report.teams_late += 1;
  if (!oldest || !(all || needsWake(oldest, state, now()))) return;
  if (await wake(dependencies, teamId)) report.woken += 1;
  else report.not_woken += 1;
}
