import { FaultyRecord, identityOf, type JudgedRecord } from '../../domain/contact-record.ts';
import { isArchived } from '../../domain/content/template.ts';
import type { Applied, JourneyChange } from '../../domain/journey.ts';
import { type Fault, notFound, validationFailed } from '../../domain/problem.ts';
import { loadByUniqueId, loadContact } from '../../store/contacts.ts';
import { StoreUnavailable } from '../../store/database.ts';
import type { ContactDependencies } from '../contacts/dependencies.ts';
import { upsertContact } from '../contacts/upsert.ts';
import { startJourneys } from './start.ts';

type NamedContact = { readonly id: string };

/** A journey as it is asked for. The contact is upserted, or is named by its id alone. */
export type JourneyRequest = {
  contact: JudgedRecord | NamedContact;
  change: JourneyChange;
  /** Of the journey's own fields, to be reported together with those of the contact. */
  faults: readonly Fault[];
};

/**
 * Starts a journey from the template, or updates the one that the contact has.
 * @throws Problem `not_found` when the team has no such template, `validation_failed` naming every fault.
 */
export async function createJourney(
  dependencies: ContactDependencies,
  teamId: string,
  templateId: string,
  { contact, change, faults }: JourneyRequest,
): Promise<Applied> {
  const { templates } = await dependencies.content.current(teamId);
  const template = templates.find(({ id }) => id === templateId);
  if (!template) throw notFound();
  const archived = isArchived(template) ? [{ path: 'template_id', message: 'is of a template that is archived' }] : [];
  const contactId = await contactOf(dependencies, teamId, contact, [...archived, ...faults]);
  const [applied] = await startJourneys(dependencies, teamId, [{ contactId, template, change }]);
  return applied!;
}

async function contactOf(
  dependencies: ContactDependencies,
  teamId: string,
  contact: JourneyRequest['contact'],
  beside: readonly Fault[],
): Promise<string> {
  if (!isNamed(contact)) {
    const faults = [...beside, ...(await idFaults(dependencies, teamId, contact))];
    const upserted = await upsertContact(dependencies, teamId, contact, { path: '/contact', beside: faults });
    return upserted.contact.id;
  }
  const stored = await loadContact(dependencies.database, teamId, contact.id);
  const unknown = stored ? [] : [unknownContact];
  if (unknown.length + beside.length > 0) throw validationFailed([...beside, ...unknown]);
  return contact.id;
}

const unknownContact: Fault = { path: '/contact/id', message: 'there is no such contact' };

const isNamed = (contact: JourneyRequest['contact']): contact is NamedContact =>
  !(contact instanceof FaultyRecord) && !('fields' in contact);

/** An `id` beside other fields must be that of the contact that its `unique_id` names (contract, section 6). */
async function idFaults(
  { database }: Pick<ContactDependencies, 'database'>,
  teamId: string,
  record: JudgedRecord,
): Promise<Fault[]> {
  const uniqueId = record instanceof FaultyRecord || record.id === undefined ? undefined : identityOf(record);
  if (record instanceof FaultyRecord || uniqueId === undefined) return [];
  const resolved = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId);
  if (!resolved) throw new StoreUnavailable('the contact is being renamed');
  if (resolved.id !== record.id) {
    return [{ path: '/contact/unique_id', message: 'must be the unique_id of the contact that id names' }];
  }
  return resolved.stored ? [] : [unknownContact];
}
