import type { Context } from 'aws-lambda';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { kindsOfWork } from '../../lib/domain/waiting-work/lane.ts';
import { deviatingFiles } from '../../lib/operations/drop-box/expected.ts';
import { moveDue } from '../../lib/operations/events/move-due.ts';
import { webhooksThatWait } from '../../lib/operations/events/wake-webhooks.ts';
import { completionsThatWait } from '../../lib/operations/events/work-completions.ts';
import { importsThatWait, type Progress, workTeam } from '../../lib/operations/imports/work.ts';
import { messagesThatWait } from '../../lib/operations/messages/messages-that-wait.ts';
import { targetingThatWaits } from '../../lib/operations/targeting/targeting-that-waits.ts';
import { beat, type SweepReport, sweep } from '../../lib/operations/waiting-work/sweep.ts';
import { timeOf } from '../../lib/operations/waiting-work/turn.ts';
import { logged, logger, metricFields } from '../../lib/runtime/base.ts';
import { importService } from '../../lib/runtime/imports.ts';
import { service as tableService } from '../../lib/runtime/table.ts';
import { messageQueue, queuesOfLanes } from '../../lib/runtime/waiting-work.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds for the current chunk and the expected files: with less time left, no other chunk is begun. */
const reserve = 30_000;
/** Milliseconds for the teams whose wake could not be sent: with less time left, no other wake is sent. */
const timeToWork = 15_000;

/**
 * Milliseconds after its beginning at which a run moves again what is due, if messages are sent: they go out within a
 * minute (contract, section 15).
 */
const moveAgainAfter = [20_000, 40_000];

/**
 * Runs on a schedule. It also moves what is due to the lanes of the teams, looks for expected files that have not arrived,
 * and makes a change for the stream of the table. `{ "all": true }` wakes every lane that holds work, for queues that have
 * just started empty.
 * @throws Error at its end if what waits for a team could not be read, so that the alarm on errors goes off
 */
export async function handler(event: { all?: boolean }, clock: Clock): Promise<SweepReport> {
  const service = { ...importService(), eventEpoch: tableService().eventEpoch, queues: queuesOfLanes() };
  const began = service.now();
  let moved = 0;
  const move = async (...given: Parameters<typeof moveDue>) => {
    const standing = await moveDue(...given);
    moved += standing.lanes.length;
    return standing;
  };
  const messages = messageQueue() === undefined ? [] : [messagesThatWait];
  const report = await logged('a sweep failed', {}, () =>
    sweep(service, {
      subjects: [importsThatWait, completionsThatWait, webhooksThatWait, targetingThatWaits, ...messages, move].map(
        (standing) => (teamId: string) => standing(service, teamId),
      ),
      all: event.all === true,
      maySend: () => clock.getRemainingTimeInMillis() > reserve + timeToWork,
      work: { imports: (teamId, left) => workWithoutQueue(teamId, left, clock) },
      onFailure,
    }),
  );
  const { imports, completions, webhooks, targeting, walks, messages: sending, not_swept } = report;
  const { chunks_failed, webhooks_failing, targeting_stopped } = report;
  // A walk is begun by the sweep.
  const waiting = [imports, completions, targeting].reduce(
    (sum, { woken, worked, not_woken }) => sum + woken + worked + not_woken,
    0,
  );
  // A lane into which something was just moved did not wait.
  if (waiting > moved)
    logger().warn('lanes that waited were woken or worked', { imports, completions, targeting, walks });
  if (chunks_failed > 0) logger().warn('there are failed chunks', { chunks_failed });
  const teams_late = imports.late + completions.late + targeting.late + walks.late + sending.late;
  if (teams_late > 0) logger().warn('teams have work that has waited for half an hour', { teams_late });
  if (targeting_stopped > 0) logger().warn('the targeting of templates has stopped', { targeting_stopped });
  const files = await logged('the expected files could not be checked', {}, () => deviatingFiles(importService()));
  for (const { team_id, type, by, time_zone, state } of files) {
    logger().warn('an expected file is missing, failed or not as expected', { team_id, type, by, time_zone, state });
  }
  await logged('the heartbeat could not be written', {}, () => beat(importService()));
  const files_missing = files.filter(({ state }) => state === 'missing').length;
  const values = {
    ...{ chunks_failed, teams_late, teams_woken: imports.woken, oldest_open_chunk: imports.oldest_seconds },
    ...{ files_missing, files_unexpected: files.length - files_missing },
    ...{ webhooks_failing, oldest_webhook_event: webhooks.oldest_seconds },
    ...{ targeting_stopped, oldest_mark: targeting.oldest_seconds },
    ...{ oldest_message: sending.oldest_seconds },
  };
  const measured = metricFields([{ function: 'sweeper' }], values);
  const not_woken = kindsOfWork.reduce((sum, kind) => sum + report[kind].not_woken, 0);
  logger().info('a sweep ended', { not_woken, webhooks_woken: webhooks.woken, ...measured });
  // The caller tries again at once if the queues do not take wakes.
  for (const after of messageQueue() && not_woken === 0 ? moveAgainAfter : []) {
    await service.wait(began + after - service.now());
    if (clock.getRemainingTimeInMillis() < timeToWork) break;
    await sweep(service, { subjects: [(teamId) => moveDue(service, teamId)], onFailure });
  }
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
  const longest = (clock.getRemainingTimeInMillis() - reserve) / left;
  const hasTime = timeOf(() => clock.getRemainingTimeInMillis(), { reserve, longest });
  const progress: Progress = { chunks: 0, records: 0 };
  const options = { ahead: 0, progress };
  try {
    const { outcome } = await workTeam({ ...importService(), onRecordFailure }, team_id, hasTime, options);
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
