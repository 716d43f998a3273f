import { isResendable, resent } from '../../domain/messages/record.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { messageLane, sendWork } from '../../store/messages/lane.ts';
import { findRecord, loadContactRecords, loadRecord, recordWrites } from '../../store/messages/records.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';
import { type Waker, wake } from '../waiting-work/wake.ts';

/**
 * Sends a message again of which nobody knows whether it was sent, or which has failed. Whether it still may be sent is
 * decided again.
 */
export async function resendMessage(
  service: Service & Waker,
  teamId: string,
  messageId: string,
): Promise<'resent' | 'not found' | 'not resendable'> {
  const { database, now } = service;
  const place = await findRecord(database, teamId, messageId);
  if (!place || !('journeyId' in place)) return 'not found';
  const outcome = await untilWritten(service, 'too many conflicts on the record of a message', async () => {
    const stored = await loadRecord(database, teamId, place);
    if (!stored) return 'not found';
    if (!isResendable(stored.record, now())) return 'not resendable';
    const at = timestamp(now());
    const { journeyId, templateMessageId } = place;
    const written = await database.transact([
      ...recordWrites(teamId, place, resent(stored.record, at), stored.version),
      sendWork(teamId, { order: 2, at, journeyId, templateMessageId }),
    ]);
    return written ? 'resent' : lostRace;
  });
  if (outcome === 'resent') await wake(service, messageLane(teamId));
  return outcome;
}

/** The contact's address was verified: what waited for it is decided again, at once. */
export async function releaseMessages(service: Service & Waker, teamId: string, contactId: string): Promise<void> {
  const { database, now } = service;
  const records = await loadContactRecords(database, teamId, contactId);
  const waiting = records.filter(({ record: { state, reason } }) => state === 'scheduled' && reason === 'not_verified');
  if (waiting.length === 0) return;
  const at = timestamp(now());
  for (const { record } of waiting) {
    const { journey_id: journeyId, template_message_id: templateMessageId } = record;
    await database.transact([sendWork(teamId, { order: 2, at, journeyId, templateMessageId })]);
  }
  await wake(service, messageLane(teamId));
}
