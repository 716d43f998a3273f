import type { ConsentSource } from '../../domain/access/consent-source.ts';
import { stateOfVerification } from '../../domain/contacts/consent.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { listedIn, type SuppressionEntry } from '../../domain/suppression/suppression.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { type ContactMarks, loadContact, type StoredContact, writesOfContact } from '../../store/contacts/contacts.ts';
import type { JournalEntry } from '../../store/suppression/journal.ts';
import { loadSuppressions, type StoredSuppression, writeOfSuppression } from '../../store/suppression/suppression.ts';
import type { Write } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ContactService, SuppressionService } from '../service.ts';
import { hashOf, journaled } from '../suppression/suppress.ts';

/** For everything that changes the consent of contacts and the list of addresses. */
export type ConsentService = SuppressionService & Pick<ContactService, 'content'>;

/** How a contact leaves or comes back: by what, and with what text on the page. */
export type ConsentAct = {
  source: ConsentSource;
  text?: string | undefined;
  /** The keyed hash of the address to which the message was sent. Left out, it is that of the address on file. */
  hash?: string | undefined;
};

/** What was read of a contact, and of the address that is listed or not. */
type Subject = {
  stored: StoredContact | undefined;
  hash: string | undefined;
  entry: StoredSuppression | undefined;
  at: string;
};
/** What is to be written. `undefined`: nothing. */
type ConsentChange = {
  contact?: { fields: Partial<Contact>; marks: ContactMarks };
  /** `null` deletes the entry. */
  entry?: SuppressionEntry | null;
  journal?: Pick<JournalEntry, 'change' | 'for' | 'reason'>;
};

/**
 * Reads, decides, adds to the journal and writes contact and list in one transaction.
 * @throws StoreUnavailable if journal or table cannot be written: then nothing may be acknowledged
 */
async function changeConsent<Outcome>(
  service: ConsentService,
  teamId: string,
  contactId: string,
  { source, text, hash: sentTo }: ConsentAct,
  decide: (subject: Subject) => Promise<{ outcome: Outcome; change?: ConsentChange | undefined }>,
): Promise<Outcome> {
  const { database, content, now, newId } = service;
  const callId = newId();
  const inJournal = new Set<string | undefined>();
  return untilWritten(service, 'too many conflicts on the consent of a contact', async () => {
    const [stored, lookups] = await Promise.all([loadContact(database, teamId, contactId), content.lookups(teamId)]);
    const hash = sentTo ?? (await hashOf(service, teamId, stored?.contact.email ?? null));
    const [entry] = hash === undefined ? [] : await loadSuppressions(database, teamId, [hash]);
    const at = timestamp(now());
    const { outcome, change } = await decide({ stored, hash, entry, at });
    if (!change) return outcome;
    // The address can be another one since the last attempt.
    if (change.journal && !inJournal.has(hash)) {
      await journaled(service, teamId, { ...change.journal, hash, contact_id: contactId });
      inJournal.add(hash);
    }
    let writes: Write[] = [];
    if (change.contact && stored) {
      const { fields, marks } = change.contact;
      const isChanged = Object.entries(fields).some(([name, value]) => stored.contact[name as keyof Contact] !== value);
      const contact = isChanged ? { ...stored.contact, ...fields, updated_at: at } : stored.contact;
      const by = { writer: source.id ?? source.kind, callId, source, text, marks };
      writes = writesOfContact(teamId, contact, stored, lookups, by);
    }
    if (change.entry !== undefined && hash !== undefined) {
      writes = [...writes, writeOfSuppression(teamId, hash, entry, change.entry ?? undefined, at)];
    }
    return (await database.transact(writes)) ? outcome : lostRace;
  });
}

/**
 * The contact wants no more marketing messages (contract, section 15, "Leaving"): it is kept with the contact, whatever its
 * address becomes, and with the address. It works without the contact, too, if the address is known. It can be repeated.
 * @returns `unknown` if there is neither the contact nor an address
 */
export const leaveByContact = (service: ConsentService, teamId: string, contactId: string, act: ConsentAct) =>
  changeConsent(service, teamId, contactId, act, async ({ stored, hash, entry, at }) => {
    if (!stored && hash === undefined) return { outcome: 'unknown' as const };
    const isOut = !stored || (stored.leftAt !== undefined && stored.contact.email_opted_in === false);
    const isListed = hash === undefined || entry?.marketing !== undefined;
    const listing = { scope: 'marketing', reason: 'unsubscribed', at } as const;
    const change: ConsentChange = {
      ...(isOut ? {} : { contact: { fields: { email_opted_in: false }, marks: { left_at: stored.leftAt ?? at } } }),
      ...(isListed ? {} : { entry: listedIn(entry, listing) }),
      journal: { change: 'added', for: 'marketing', reason: 'unsubscribed' },
    };
    return { outcome: 'left' as const, change: isOut && isListed ? undefined : change };
  });

/**
 * The contact takes its leaving back, with its own link. It is opted in again, and its address is no longer listed for
 * marketing.
 * @returns `listed` if nothing is sent to the address because of a complaint or a bounce: nothing has changed
 */
export const returnByContact = (service: ConsentService, teamId: string, contactId: string, act: ConsentAct) =>
  changeConsent(service, teamId, contactId, act, async ({ stored, hash, entry, at }) => {
    if (!stored) return { outcome: 'unknown' as const };
    const { contact, leftAt } = stored;
    const current = await hashOf(service, teamId, contact.email);
    const [onFile] =
      current === undefined || current === hash ? [entry] : await loadSuppressions(service.database, teamId, [current]);
    if (entry?.all || onFile?.all || (current !== hash && onFile)) return { outcome: 'listed' as const };
    if (leftAt === undefined && contact.email_opted_in === true && !entry) return { outcome: 'returned' as const };
    const change: ConsentChange = {
      contact: { fields: { email_opted_in: true }, marks: { left_at: undefined, returned_at: at } },
      ...(entry ? { entry: null } : {}),
      journal: { change: 'removed', for: 'marketing' },
    };
    return { outcome: 'returned' as const, change };
  });

/**
 * Verifies the address of the contact, if the link still works (contract, section 15, "Verifying").
 * @param verificationId of the link that was sent to the address with the hash `act.hash`
 */
export const verifyByContact = (
  service: ConsentService,
  teamId: string,
  contactId: string,
  verificationId: string,
  act: ConsentAct,
) =>
  changeConsent(service, teamId, contactId, act, async ({ stored, at }) => {
    const verifications = stored?.verifications ?? [];
    const sent = verifications.find(({ id }) => id === verificationId);
    const onFile = await hashOf(service, teamId, stored?.contact.email ?? null);
    const state = stateOfVerification(sent, onFile, Date.parse(at));
    if (state !== 'open') return { outcome: state };
    const used = verifications.map((each) => (each === sent ? { ...each, used_at: at } : each));
    const marks = { verified_at: at, verifications: used };
    return { outcome: 'verified' as const, change: { contact: { fields: { email_verified: true }, marks } } };
  });
