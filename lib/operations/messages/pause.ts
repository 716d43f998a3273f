import { type Paused, pausedBy, resumed } from '../../domain/messages/pause.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { dueAt } from '../../domain/waiting-work/due.ts';
import { messageLane } from '../../store/messages/lane.ts';
import { loadMessageState, messageStateWrite } from '../../store/messages/state.ts';
import { writeOne } from '../../store/table/database.ts';
import { planInsertion } from '../../store/waiting-work/due-work.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service, Settings } from '../service.ts';
import { type WakeService, wake } from '../waiting-work/wake.ts';

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
  service: Service & Pick<Settings, 'eventEpoch'> & WakeService,
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
