import { addressHash } from '../../auth/address-hash.ts';
import type { Feedback } from '../../domain/messages/feedback.ts';
import type { SuppressionReason } from '../../domain/suppression/suppression.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadContact, writesOfContact } from '../../store/contacts/contacts.ts';
import { findRecord, type RecordPlace } from '../../store/messages/records.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { SuppressionService } from '../service.ts';
import { suppress } from '../suppression/suppress.ts';
import { addCounts, type BrakeService } from './brake.ts';
import { recordOutcome } from './record-outcome.ts';

/**
 * Takes what the provider reports of a message, in any order and however often. It needs neither the message nor its
 * contact: the address is listed by its keyed hash.
 */
export async function takeFeedback(
  service: SuppressionService & BrakeService,
  { type, permanent = false, tags: { message, address: hash, team }, at }: Feedback,
): Promise<void> {
  const place = await findRecord(service.database, team, message);
  const reason = type === 'complained' ? 'complaint' : 'bounce';
  if (type === 'complained' || (type === 'bounced' && permanent)) {
    await listAddress(service, team, place, { hash, reason });
  }
  // The person was erased.
  if (!place) return;
  const recorded = await recordOutcome(service, team, place, { state: type, at });
  if (!recorded || recorded.before.state === recorded.after.state || type === 'delivered') return;
  await addCounts(service, team, { [recorded.after.state === 'bounced' ? 'bounced' : 'complained']: 1 });
}

/** Nothing is sent to the address any more. After a bounce, it is not verified either; the consent stays. */
export async function listAddress(
  service: SuppressionService,
  teamId: string,
  place: RecordPlace | undefined,
  { hash, reason }: { hash: string; reason: Extract<SuppressionReason, 'bounce' | 'complaint'> },
): Promise<void> {
  const contactId = place?.contactId;
  await suppress(service, teamId, hash, { scope: 'all', reason, contactId });
  if (reason !== 'bounce' || contactId === undefined) return;
  const { database, messages, now } = service;
  const secret = await messages.secret();
  await untilWritten(service, 'too many conflicts on a contact', async () => {
    const stored = await loadContact(database, teamId, contactId);
    const email = stored?.contact.email ?? null;
    // It has another address since.
    if (!stored || email === null || addressHash(secret, teamId, email) !== hash) return;
    if (stored.contact.email_verified !== true) return;
    const contact = { ...stored.contact, email_verified: false, updated_at: timestamp(now()) };
    const by = { writer: 'admin', source: { kind: 'provider' } } as const;
    return (await database.transact(writesOfContact(teamId, contact, stored, [], by))) || lostRace;
  });
}
