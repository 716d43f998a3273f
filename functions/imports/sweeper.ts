import type { Context } from 'aws-lambda';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { deviatingFiles } from '../../lib/operations/drop-box/expected.ts';
import { beat } from '../../lib/operations/imports/heartbeat.ts';
import { type SweepReport, sweep } from '../../lib/operations/imports/sweep.ts';
import { type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import { logged, logger, metricFields } from '../../lib/runtime/base.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds for the current chunk and the expected files: with less time left, no other chunk is begun. */
const reserve = 30_000;
/** Milliseconds for the teams whose wake could not be sent: with less time left, no other wake is sent. */
const timeToWork = 15_000;

/**
 * Runs on a schedule. It also looks for expected files that have not arrived, and makes a change for the stream of the
 * table. `{ "all": true }` wakes every team that has work, for a queue that has just started empty.
 * @throws Error at its end if the import state of a team could not be read, so that the alarm on errors goes off
 */
export async function handler(event: { all?: boolean }, clock: Clock): Promise<SweepReport> {
  const work = (teamId: string, left: number) => workWithoutQueue(teamId, left, clock);
  const maySend = () => clock.getRemainingTimeInMillis() > reserve + timeToWork;
  const report = await logged('a sweep failed', {}, () =>
    sweep(importDependencies(), { all: event.all === true, maySend, work }, onFailure),
  );
  const { woken, worked, not_woken, not_swept, chunks_failed, teams_late, oldest_open_chunk } = report;
  const waiting = { woken, worked, not_woken };
  if (woken + worked + not_woken > 0) logger().warn('teams with waiting chunks were woken or worked', waiting);
  if (chunks_failed > 0) logger().warn('there are failed chunks', { chunks_failed });
  if (teams_late > 0) logger().warn('teams have chunks that have waited for half an hour', { teams_late });
  const files = await logged('the expected files could not be checked', {}, () => deviatingFiles(importDependencies()));
  for (const { team_id, type, by, time_zone, state } of files) {
    logger().warn('an expected file is missing, failed or not as expected', { team_id, type, by, time_zone, state });
  }
  await logged('the heartbeat could not be written', {}, () => beat(importDependencies()));
  const files_missing = files.filter(({ state }) => state === 'missing').length;
  const of_files = { files_missing, files_unexpected: files.length - files_missing };
  const values = { chunks_failed, teams_late, teams_woken: woken, oldest_open_chunk, ...of_files };
  logger().info('a sweep ended', { not_woken, ...metricFields([{ function: 'import-sweeper' }], values) });
  if (not_swept > 0) throw new Error('teams could not be swept');
  return report;
}

/**
 * Works the open chunks of a team as the worker does, for the team's share of the time that is left. It does not read
 * ahead, because this function has less memory than the worker.
 * @param left number of teams that share the time
 * @returns true if no chunk is open
 */
async function workWithoutQueue(team_id: string, left: number, clock: Clock): Promise<boolean> {
  const share = (clock.getRemainingTimeInMillis() - reserve) / left;
  const end = clock.getRemainingTimeInMillis() - share;
  const hasTime = () => clock.getRemainingTimeInMillis() > Math.max(end, reserve);
  const progress: Progress = { chunks: 0, records: 0 };
  const options = { ahead: 0, progress };
  try {
    const { outcome } = await workTeam({ ...importDependencies(), onRecordFailure }, team_id, hasTime, options);
    logger().warn('chunks were worked without the queue', { team_id, outcome, ...progress });
    return outcome === 'empty';
  } catch (error) {
    logger().error('an attempt at a chunk failed', { team_id, ...progress, ...errorFields(error) });
    return false;
  }

  function onRecordFailure(error: unknown) {
    logger().error('a record was rejected: the code failed on it', { team_id, ...progress, ...errorFields(error) });
  }
}

const onFailure = (team_id: string, error: unknown) =>
  logger().error('a team could not be swept', { team_id, ...errorFields(error) });
