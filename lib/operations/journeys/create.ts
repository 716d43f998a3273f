import type { JudgedRecord } from '../../domain/contact-record.ts';
import { isArchived } from '../../domain/content/template.ts';
import type { Applied, JourneyChange } from '../../domain/journey.ts';
import { type Fault, notFound, validationFailed } from '../../domain/problem.ts';
import { loadContact } from '../../store/contacts.ts';
import type { ContactDependencies } from '../contacts/dependencies.ts';
import { upsertContact } from '../contacts/upsert.ts';
import { startJourneys } from './start.ts';

/** A journey as it is asked for. The contact is upserted, or is named by its id alone. */
export type JourneyRequest = {
  contact: JudgedRecord | { readonly id: string };
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
  if (!('id' in contact)) {
    const upserted = await upsertContact(dependencies, teamId, contact, { path: '/contact', beside });
    return upserted.contact.id;
  }
  const stored = await loadContact(dependencies.database, teamId, contact.id);
  const unknown = stored ? [] : [{ path: '/contact/id', message: 'there is no such contact' }];
  if (unknown.length + beside.length > 0) throw validationFailed([...beside, ...unknown]);
  return contact.id;
}
