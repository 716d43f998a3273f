import type { Call } from '../../domain/access/caller.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { changeToCheck, InvalidContact, type ParsedContact } from '../../domain/contacts/contact-record.ts';
import type { ShownContact } from '../../domain/contacts/contact-responses.ts';
import { strictErrors } from '../../domain/contacts/contact-strict.ts';
import { applyUpsert, withoutOptIn } from '../../domain/contacts/contact-upsert.ts';
import { shownContactOf } from '../../domain/contacts/shown-contact.ts';
import { type ErrorDetail, judged, notFound, Problem, validationFailed } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadContact, writeContacts, writesOfContact } from '../../store/contacts/contacts.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ContactService } from '../service.ts';
import { listedAmong } from '../suppression/suppress.ts';
import { type AskedJourney, importer, loadReferences, templateErrors, templateOf } from './references.ts';

/**
 * Updates the contact with this id. The caller starts the journeys.
 * @param isExpected returns true if the caller expects this version. Otherwise nothing is written.
 * @throws Problem `not_found` if there is no such contact; `validation_failed`; `precondition_failed`; `unavailable`.
 */
export async function updateContact(
  service: ContactService,
  { teamId, clientId: writer = importer, unused, source }: Call,
  id: string,
  record: ParsedContact,
  isExpected: (version: number, contact: Contact) => boolean = () => true,
): Promise<{ contact: ShownContact; version: number; journeys: AskedJourney[] }> {
  const { database, content, now, newId } = service;
  const callId = newId();
  const received = timestamp(now());
  /** The version that a write of this call tried to replace, if that write was sent again. */
  let resentAt: number | undefined;
  // Read in parallel with the contact.
  const referencesRead = loadReferences(content, teamId, [record]);
  return untilWritten(service, 'too many conflicts on the contact', async () => {
    const [stored, references, lookups] = await Promise.all([
      loadContact(database, teamId, id),
      referencesRead,
      content.lookups(teamId),
    ]);
    if (!stored) throw notFound();
    const { contact: before } = stored;
    const { objectives } = references;
    const context = { id, uniqueId: before.unique_id, now: received, objectives };
    const apply = () => applyUpsert(before, changeToCheck(record), context);
    const { errors: mergeErrors, ...applied } = judged([''], apply);
    const isOptedIn = applied.contact.email_opted_in === true;
    const isOut =
      isOptedIn && (stored.leftAt !== undefined || (await isListed(service, teamId, applied.contact.email)));
    const { contact, changed } = isOut ? withoutOptIn(before, applied, received) : applied;
    const own = record instanceof InvalidContact ? record.errors : [];
    const strict = unused?.refused('', () => strictErrors(record, objectives)) ?? [];
    const rules = [...identityErrors(before, record), ...templateErrors(record, references), ...mergeErrors];
    const errors = [...own, ...strict, ...rules];
    if (errors.length > 0) throw validationFailed(errors);
    // True if an earlier round of this call wrote the contact and the response was lost.
    const isWritten = stored.callId === callId;
    if (!isWritten && !isExpected(stored.version, before)) {
      // Two versions later, the first can be the write of this call: its response was lost, and another call followed.
      const isKnown = resentAt === undefined || stored.version === resentAt + 1;
      throw isKnown ? new Problem('precondition_failed') : new StoreUnavailable('the outcome of a write is not known');
    }
    const isToWrite = changed && !isWritten;
    const onResend = () => {
      resentAt = stored.version;
    };
    const change = writesOfContact(teamId, contact, stored, lookups, { writer, callId, source });
    const write = () => writeContacts(database, [change], { onResend });
    const [written] = isToWrite ? await write() : [true];
    if (!written) return lostRace;
    const template = templateOf(record, references);
    return {
      contact: shownContactOf(isWritten ? before : contact),
      version: stored.version + (isToWrite ? 1 : 0),
      journeys: template ? [{ contact, template }] : [],
    };
  });
}

const isListed = async (...[service, teamId, email]: [ContactService, string, string | null]): Promise<boolean> =>
  email !== null && (await listedAmong(service, teamId, [email])).has(email);

/** Only an administrator can change a `unique_id` (specification, "unique_id rules", 8). */
function identityErrors(stored: Contact, { uniqueId }: ParsedContact): ErrorDetail[] {
  if (uniqueId === undefined || uniqueId === stored.unique_id) return [];
  return [{ path: '/unique_id', message: 'cannot be changed here' }];
}
