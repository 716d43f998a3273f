import { type Paused, pausedBy, resumed } from '../../../../lib/domain/messages/pause.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { dueAt } from '../../../../lib/domain/waiting-work/due.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { Service, Settings } from '../../../../lib/operations/service.ts';
import { type Waker, wake } from '../../../../lib/operations/waiting-work/wake.ts';
import { messageLane } from '../../../../lib/store/messages/lane.ts';
import { loadMessageState, messageStateWrite } from '../../../../lib/store/messages/state.ts';
import { writeOne } from '../../../../lib/store/table/database.ts';
import { planInsertion } from '../../../../lib/store/waiting-work/due-work.ts';

const conflicts = 'too many conflicts on the state of messages';

/** Pauses the messages of the team, or of one of its templates. What waits stays, and nothing more is handed over. */
export const pauseMessages = (
  service: Service,
  teamId: string,
  { templateId, ...by }: Pick<Paused, 'by' | 'reason'> & { templateId?: string | undefined },
): Promise<void> =>
  untilWritten(service, conflicts, async () => {
    const { version, ...state } = await loadMessageState(service.database, teamId);
    const next = pausedBy(state, { at: timestamp(service.now()), ...by }, templateId);
    return (await writeOne(service.database, messageStateWrite(teamId, next, version))) ? undefined : lostRace;
  });

/**
 * Resumes them. What waited is decided again. If they were paused by a restore of the table, what was due before is not
 * sent.
 */
export async function resumeMessages(
  service: Service & Pick<Settings, 'eventEpoch'> & Waker,
  teamId: string,
  templateId?: string,
): Promise<void> {
  await untilWritten(service, conflicts, async () => {
    const { version, ...state } = await loadMessageState(service.database, teamId);
    const next = resumed(state, timestamp(service.now()), service.eventEpoch, templateId);
    // What waits for its campaign lies with its journeys, which are walked.
    const walk =
      templateId === undefined ? [] : [planInsertion(teamId, dueAt(service.now(), service.now())!, templateId)];
    const writes = [messageStateWrite(teamId, next, version), ...walk];
    return (await service.database.transact(writes)) ? undefined : lostRace;
  });
  await wake(service, messageLane(teamId));
}
