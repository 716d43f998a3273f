import { isLate, needsWake, openSeconds } from '../../domain/chunk.ts';
import { loadWork } from '../../store/import-work.ts';
import { listTeamIds } from '../../store/teams.ts';
import type { ImportDependencies } from '../service.ts';
import { wake } from './wake.ts';

export type SweepReport = {
  /** Number of teams that were woken. */
  woken: number;
  /** Number of teams whose wake could not be sent. The next sweep tries again. */
  not_woken: number;
  /** Number of teams whose oldest open chunk has waited for half an hour. */
  teams_late: number;
  /** Number of failed chunks of all teams. */
  chunks_failed: number;
  /** Seconds since the oldest open chunk of all teams was accepted. 0 if there is none. */
  oldest_open_chunk: number;
};

/** Teams that are checked in parallel. */
const parallelTeams = 8;

/**
 * Wakes each team whose open chunks wait without a worker: their wake was lost, or the request that accepted them
 * crashed before it sent one. With `all`, wakes each team that has open chunks, for a queue that has just started
 * empty.
 * @param onFailure called with the team at which the sweep fails
 */
export async function sweep(
  dependencies: ImportDependencies,
  { all }: { all: boolean },
  onFailure: (teamId: string, error: unknown) => void = () => {},
): Promise<SweepReport> {
  const report: SweepReport = { woken: 0, not_woken: 0, teams_late: 0, chunks_failed: 0, oldest_open_chunk: 0 };
  const teams = (await listTeamIds(dependencies.database))[Symbol.iterator]();
  const worker = async () => {
    for (const teamId of teams) {
      await sweepTeam(dependencies, teamId, all, report).catch((error) => {
        onFailure(teamId, error);
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: parallelTeams }, worker));
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
  if (!oldest) return;
  report.oldest_open_chunk = Math.max(report.oldest_open_chunk, openSeconds(oldest, now()));
  if (isLate(oldest, now())) report.teams_late += 1;
  if (!(all || needsWake(oldest, state, now()))) return;
  if (await wake(dependencies, teamId)) report.woken += 1;
  else report.not_woken += 1;
}
