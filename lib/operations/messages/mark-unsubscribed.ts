import { findRecord, loadRecord, recordWrites } from '../../store/messages/records.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/**
 * Notes that a person left by the link in this message. The first time stays. Without effect if the message is not of a
 * journey, or was erased.
 */
export async function markUnsubscribed(service: Service, teamId: string, messageId: string, at: string): Promise<void> {
  const { database } = service;
  const place = await findRecord(database, teamId, messageId);
  if (!place || !('journeyId' in place)) return;
  await untilWritten(service, 'too many conflicts on the record of a message', async () => {
    const stored = await loadRecord(database, teamId, place);
    if (!stored || stored.record.unsubscribed_at !== null) return;
    const record = { ...stored.record, unsubscribed_at: at };
    const isWritten = await database.transact(recordWrites(teamId, place, record, stored.version));
    return isWritten ? undefined : lostRace;
  });
}
