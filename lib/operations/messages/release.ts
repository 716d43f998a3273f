import { timestamp } from '../../domain/values/timestamp.ts';
import { messageLane, sendWork } from '../../store/messages/lane.ts';
import { loadContactRecords } from '../../store/messages/records.ts';
import type { Service } from '../service.ts';
import { type WakeService, wake } from '../waiting-work/wake.ts';

/** The address of the contact was verified: what waited for it is decided again, at once. */
export async function releaseMessages(
  service: Pick<Service, 'database' | 'now'> & WakeService,
  teamId: string,
  contactId: string,
): Promise<void> {
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
