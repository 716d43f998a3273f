import type { Caller } from '../../domain/access/caller.ts';
import { verificationLimit, verificationWait, withVerification } from '../../domain/contacts/consent.ts';
import { notFound, Problem, validationFailed } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import { loadContact, type StoredContact, writesOfContact } from '../../store/contacts/contacts.ts';
import { messageLane, verificationWork } from '../../store/messages/lane.ts';
import { loadSuppression } from '../../store/suppression/suppression.ts';
import { loadSentToAddress, sentToAddressWrite } from '../../store/suppression/verifications.ts';
import type { WakeQueue } from '../../store/waiting-work/wake-queue.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ContactService, MessagesAccess } from '../service.ts';
import { hashOf } from '../suppression/suppress.ts';

export type VerificationService = ContactService & {
  messages: MessagesAccess;
  /** The queue of the lanes of messages. */
  queue: Pick<WakeQueue, 'wake'>;
  /** Called if a wake could not be sent. The sweep sends another one later. */
  onLostWake(lane: Lane, error: unknown): void;
};

/**
 * Asks for a link that verifies the address of the contact (contract, section 15, "Verifying"). The lane of messages sends
 * it before all others.
 * @returns the id of the message
 * @throws Problem `not_found`; `validation_failed` without an address; `conflict` for an address to which nothing is sent;
 * `too_many_requests`
 */
export async function requestVerification(
  service: VerificationService,
  { teamId, clientId }: Pick<Caller, 'teamId' | 'clientId'>,
  contactId: string,
): Promise<string> {
  const { database, content, now, newId } = service;
  const id = newId();
  await untilWritten(service, 'too many conflicts on the verifications of a contact', async () => {
    const [stored, lookups] = await Promise.all([loadContact(database, teamId, contactId), content.lookups(teamId)]);
    if (!stored) throw notFound();
    if (stored.verifications.some((each) => each.id === id)) return undefined;
    const hash = await hashOf(service, teamId, stored.contact.email);
    if (hash === undefined) throw validationFailed([noAddress]);
    const [{ all }, sent] = await Promise.all([
      loadSuppression(database, teamId, hash),
      loadSentToAddress(database, teamId, hash),
    ]);
    if (all) throw new Problem('conflict', undefined, { hint: bounced });
    const time = now();
    const own = stored.verifications.map(({ at }) => at);
    const wait = Math.max(verificationWait(own, time), verificationWait(sent.sentAt, time));
    if (wait > 0) throw new Problem('too_many_requests', undefined, { retryAfter: Math.ceil(wait / 1000) });
    const at = timestamp(time);
    const marks = { verifications: withVerification(stored.verifications, { id, at, hash }) };
    const sentAt = [...sent.sentAt, at].slice(-verificationLimit.most);
    const written = await database.transact([
      ...writesOfContact(teamId, stored.contact, stored, lookups, { writer: clientId, marks }),
      sentToAddressWrite(teamId, hash, { ...sent, sentAt }, time + verificationLimit.in),
      verificationWork(teamId, { at, contactId, messageId: id }),
    ]);
    return written ? undefined : lostRace;
  });
  const lane = messageLane(teamId);
  await service.queue.wake(lane).catch((error: unknown) => service.onLostWake(lane, error));
  return id;
}

/** Milliseconds in which a contact is sent at most one link by itself. */
const byItselfOnceIn = 30 * 24 * 3_600_000;

/**
 * Sends a link by itself to a contact that opted in and whose address is not verified, because a message waits for it
 * (contract, section 15, "Verifying").
 */
export async function verifyByItself(
  service: VerificationService,
  teamId: string,
  { contact, verifications }: StoredContact,
): Promise<void> {
  const since = service.now() - byItselfOnceIn;
  if (verifications.some(({ at }) => Date.parse(at) > since)) return;
  try {
    await requestVerification(service, { teamId, clientId: 'service' }, contact.id);
  } catch (error) {
    // It has no address any more, or so many links were sent to it already.
    const isRefused = error instanceof Problem && !['unavailable', 'internal_error'].includes(error.code);
    if (!isRefused) throw error;
  }
}

const noAddress = { path: '', message: 'the contact has no email address to which a link could be sent' };
const bounced =
  'Nothing is sent to the address of the contact, because a message to it bounced or somebody complained of one.';
