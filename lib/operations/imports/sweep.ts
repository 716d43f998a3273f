import { isLate, needsWake, openSeconds } from '../../domain/chunk.ts';
import { loadWork } from '../../store/import-work.ts';
import { listTeamIds } from '../../store/teams.ts';
import type { ImportDependencies, Service } from '../service.ts';
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

export type SweepOptions = {
  /** Wakes each team that has open chunks, for a queue that has just started empty. */
  all: boolean;
  /** The wakes that could not be sent are repeated while there is time, with this wait between them. */
  repeat?: { hasTime: () => boolean; wait: Service['wait'] };
};

/** Milliseconds between repeated wakes. Each that fails is a line of the log. */
const repeatEvery = 2000;

/**
 * Wakes each team whose open chunks wait without a worker: their wake was lost, or the request that accepted them
 * crashed before it sent one.
 * @param onFailure called with the team at which the sweep fails
 */
export async function sweep(
  dependencies: ImportDependencies,
  { all, repeat }: SweepOptions,
  onFailure: (teamId: string, error: unknown) => void = () => {},
): Promise<SweepReport> {
  const report: SweepReport = { woken: 0, not_woken: 0, teams_late: 0, chunks_failed: 0, oldest_open_chunk: 0 };
  const unsent: string[] = [];
  const teams = (await listTeamIds(dependencies.database))[Symbol.iterator]();
  const worker = async () => {
    for (const teamId of teams) {
      const isWaiting = await inspectTeam(dependencies, teamId, all, report).catch((error) => {
        onFailure(teamId, error);
        throw error;
      });
      if (!isWaiting) continue;
      if (await wake(dependencies, teamId)) report.woken += 1;
      else unsent.push(teamId);
    }
  };
  await Promise.all(Array.from({ length: parallelTeams }, worker));
  while (unsent.length > 0 && repeat?.hasTime()) {
    const teamId = unsent.shift()!;
    if (await wake(dependencies, teamId)) {
      report.woken += 1;
    } else {
      unsent.push(teamId);
      await repeat.wait(repeatEvery);
    }
  }
  return { ...report, not_woken: unsent.length };
}

/** Adds the team to the report. @returns true if its open chunks wait for a wake. */
async function inspectTeam(
  { database, now }: ImportDependencies,
  teamId: string,
  all: boolean,
  report: SweepReport,
): Promise<boolean> {
  const { state, open } = await loadWork(database, teamId, 1);
  report.chunks_failed += state.failed;
  const [oldest] = open;
  if (!oldest) return false;
  report.oldest_open_chunk = Math.max(report.oldest_open_chunk, openSeconds(oldest, now()));
  if (isLate(oldest, now())) report.teams_late += 1;
  return all || needsWake(oldest, state, now());
}
