import { brakeOf, counted, pausedBy } from '../../domain/messages/pause.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import {
  loadMessageCounts,
  loadMessageState,
  messageCountsWrite,
  messageStateWrite,
} from '../../store/messages/state.ts';
import { writeOne } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** `onPaused`: called if the service itself has paused the messages of the team, for the log and the alarm. */
export type BrakeService = Service & { onPaused(teamId: string, reason: 'bounces' | 'complaints'): void };

/**
 * Counts what became of messages, and pauses those of the team if too many of the last ones bounced or were complained
 * of (contract, section 15).
 */
export async function addCounts(
  service: BrakeService,
  teamId: string,
  add: Parameters<typeof counted>[1],
): Promise<void> {
  const { database, now } = service;
  const after = await untilWritten(service, 'too many conflicts on the counts of messages', async () => {
    const { version, ...before } = await loadMessageCounts(database, teamId);
    const next = counted(before, add, timestamp(now()));
    return (await writeOne(database, messageCountsWrite(teamId, next, version))) ? next : lostRace;
  });
  const reason = brakeOf(after);
  if (reason === undefined) return;
  const reportedAt = (reason === 'bounces' ? after.bounced_at : after.complained_at) ?? '';
  const isPaused = await untilWritten(service, 'too many conflicts on the state of messages', async () => {
    const { version, ...state } = await loadMessageState(database, teamId);
    // Who resumes accepts the reports until then. Only a later report pauses the messages again, not the next message.
    const isKnown = state.last_pause !== null && reportedAt <= state.last_pause.until;
    if (state.paused !== null || isKnown) return false;
    const next = pausedBy(state, { at: timestamp(now()), by: 'service', reason });
    return (await writeOne(database, messageStateWrite(teamId, next, version))) ? true : lostRace;
  });
  if (isPaused) service.onPaused(teamId, reason);
}
