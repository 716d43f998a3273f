import type { Contact } from '../../domain/contact.ts';
import { FaultyRecord, type JudgedRecord } from '../../domain/contact-record.ts';
import { applyUpsert } from '../../domain/contact-upsert.ts';
import { type Fault, notFound, Problem, validationFailed } from '../../domain/problem.ts';
import { type ShownContact, shownContactOf } from '../../domain/shown-contact.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { loadContact, writeOfContact } from '../../store/contacts.ts';
import { startJourneys } from '../journeys/start.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ContactDependencies } from './dependencies.ts';
import { loadReferences, templateFaults, templateOf } from './references.ts';

/**
 * Upserts the contact with this id.
 * @param isExpected whether the caller expects this version; otherwise nothing is written
 * @throws Problem `not_found` when there is none, `validation_failed`, `precondition_failed`.
 */
export async function updateContact(
  dependencies: ContactDependencies,
  teamId: string,
  id: string,
  record: JudgedRecord,
  isExpected: (version: number, contact: Contact) => boolean = () => true,
): Promise<{ contact: ShownContact; version: number }> {
  const { database, content, now, newId } = dependencies;
  const callId = newId();
  const received = timestamp(now());
  // Read beside the contact.
  const referring = loadReferences(content, teamId, [record]);
  return untilWritten(dependencies, 'the contact is contended', async () => {
    const [stored, references, lookups] = await Promise.all([
      loadContact(database, teamId, id),
      referring,
      content.lookups(teamId),
    ]);
    if (!stored) throw notFound();
    const { contact: before } = stored;
    const context = { id, uniqueId: before.unique_id, now: received, objectives: references.objectives };
    const faults = [...identityFaults(before, record), ...templateFaults(record, references)];
    if (record instanceof FaultyRecord) throw validationFailed([...record.faults, ...faults]);
    const { contact, changed, faults: merging } = applyUpsert(before, record, context);
    if (faults.length + merging.length > 0) throw validationFailed([...faults, ...merging]);
    // Written by this very call, by a write whose response was lost.
    const isWritten = stored.callId === callId;
    if (!isWritten && !isExpected(stored.version, before)) throw new Problem('precondition_failed');
    const isToWrite = changed && !isWritten;
    const write = () => database.write([writeOfContact(teamId, contact, stored, lookups, callId)]);
    const [written] = isToWrite ? await write() : [true];
    if (!written) return lostRace;
    const template = templateOf(record, references);
    if (template) await startJourneys(dependencies, teamId, [{ contactId: id, template, change: {} }]);
    return { contact: shownContactOf(isWritten ? before : contact), version: stored.version + (isToWrite ? 1 : 0) };
  });
}

/** Only an administrator changes a `unique_id` (specification, "unique_id rules", 8). */
function identityFaults(stored: Contact, { uniqueId }: JudgedRecord): Fault[] {
  if (uniqueId === undefined || uniqueId === stored.unique_id) return [];
  return [{ path: '/unique_id', message: 'cannot be changed here' }];
}
