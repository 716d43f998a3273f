import { isLate, needsWake, openSeconds } from '../../domain/imports/chunk.ts';
import { nextCompletionWork } from '../../store/events/completion-work.ts';
import { loadWork } from '../../store/imports/import-work.ts';
import { listTeamIds } from '../../store/teams/teams.ts';
import type { ImportService } from '../service.ts';
import { wake, wakeCompletions } from './wake.ts';

export type SweepReport = {
  /** Number of teams that were woken for their chunks. */
  woken: number;
  /** Number of teams whose wake could not be sent, so that the sweep worked their chunks itself. */
  worked: number;
  /** Number of teams whose wake could not be sent, and whose work still waits. The next sweep tries again. */
  not_woken: number;
  /** Number of teams whose import state could not be read. */
  not_swept: number;
  /** Number of teams whose oldest open chunk, or oldest work on completions, has waited for half an hour. */
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
  /** False when no more wakes may be sent, so that a queue that hangs leaves time to work the teams. */
  maySend?: () => boolean;
  /**
   * Works the chunks of a team whose wake could not be sent. Without it, the team waits for the next sweep.
   * @param left number of teams that still wait for this, including this team
   * @returns true if none of the team's chunks is open
   */
  work?: (teamId: string, left: number) => Promise<boolean>;
};

/**
 * Wakes each team whose open chunks wait without a worker: their wake was lost, or the request that accepted them
 * crashed before it sent one. A team whose wake cannot be sent now is worked by the sweep itself (contract, section 5:
 * "however many sends fail").
 * @param onFailure called with each team whose import state could not be read; the sweep goes on with the others
 */
export async function sweep(
  dependencies: ImportService,
  { all, maySend = () => true, work }: SweepOptions,
  onFailure: (teamId: string, error: unknown) => void = () => {},
): Promise<SweepReport> {
  const counts = { woken: 0, worked: 0, not_woken: 0, not_swept: 0, teams_late: 0, chunks_failed: 0 };
  const report: SweepReport = { ...counts, oldest_open_chunk: 0 };
  const unsent: string[] = [];
  const teams = (await listTeamIds(dependencies.database))[Symbol.iterator]();
  const worker = async () => {
    for (const teamId of teams) {
      const waiting = await inspectTeam(dependencies, teamId, all, report).catch((error) => {
        report.not_swept += 1;
        onFailure(teamId, error);
      });
      if (!waiting) continue;
      const { chunks, completions } = waiting;
      if (completions && !(maySend() && (await wakeCompletions(dependencies, teamId)))) report.not_woken += 1;
      if (!chunks) continue;
      if (maySend() && (await wake(dependencies, teamId))) report.woken += 1;
      else unsent.push(teamId);
    }
  };
  await Promise.all(Array.from({ length: parallelTeams }, worker));
  for (const [position, teamId] of unsent.entries()) {
    if (await work?.(teamId, unsent.length - position)) report.worked += 1;
    else report.not_woken += 1;
  }
  return report;
}

/** Adds the team to the report. @returns whether its open chunks, and its work on completions, wait for a wake. */
async function inspectTeam(
  { database, now }: ImportService,
  teamId: string,
  all: boolean,
  report: SweepReport,
): Promise<{ chunks: boolean; completions: boolean }> {
  const [{ state, open }, work] = await Promise.all([
    loadWork(database, teamId, 1),
    nextCompletionWork(database, teamId),
  ]);
  report.chunks_failed += state.failed;
  const [oldest] = open;
  const times = [oldest?.accepted_at, work?.at].filter((time) => time !== undefined);
  if (times.some((accepted_at) => isLate({ accepted_at }, now()))) report.teams_late += 1;
  const completions = work !== undefined && (all || needsWake({ accepted_at: work.at }, {}, now()));
  if (!oldest) return { chunks: false, completions };
  report.oldest_open_chunk = Math.max(report.oldest_open_chunk, openSeconds(oldest, now()));
  return { chunks: all || needsWake(oldest, state, now()), completions };
}
