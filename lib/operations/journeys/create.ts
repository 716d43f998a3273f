import type { Call } from '../../domain/access/caller.ts';
import { isArchived } from '../../domain/campaigns/shown-template.ts';
import {
  InvalidContact,
  identityOf,
  type ParsedContact,
  uniqueIdBesideId,
} from '../../domain/contacts/contact-record.ts';
import type { ShownContact } from '../../domain/contacts/contact-responses.ts';
import { unknownContactFields } from '../../domain/contacts/contact-strict.ts';
import type { Applied, JourneyChange } from '../../domain/journeys/journey.ts';
import type { JsonObject } from '../../domain/values/json.ts';
import { type ErrorDetail, notFound, validationFailed } from '../../domain/values/problem.ts';
import { loadByUniqueId, loadContact } from '../../store/contacts/contacts.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { upsertContact } from '../contacts/upsert.ts';
import type { ContactService, Service } from '../service.ts';
import { startJourneys } from './start.ts';

/** `unknown`: the fields beside its `id`, which are not fields of a contact. */
type NamedContact = { readonly id: string; readonly unknown?: JsonObject };

/** A requested journey. Its contact is upserted, or only named by its id. */
export type JourneyRequest = {
  contact: ParsedContact | NamedContact;
  change: JourneyChange;
  /** Errors in the journey's own fields, to be reported together with those of the contact. */
  errors: readonly ErrorDetail[];
};

/**
 * Starts a journey from the template, or updates the contact's existing one.
 * @throws Problem `not_found` if the team has no such template; `validation_failed` with all errors.
 */
export async function createJourney(
  service: ContactService,
  call: Call,
  templateId: string,
  { contact, change, errors }: JourneyRequest,
): Promise<Applied> {
  const { teamId } = call;
  const [{ templates, objectives }, named] = await Promise.all([
    service.content.current(teamId),
    isNamed(contact) ? loadContact(service.database, teamId, contact.id) : undefined,
  ]);
  const template = templates.find(({ id }) => id === templateId);
  if (!template) throw notFound();
  const archived = isArchived(template) ? [{ path: 'template_id', message: 'names a template that is archived' }] : [];
  const otherErrors = [...archived, ...errors];
  if (isNamed(contact)) {
    const { unknown = {} } = contact;
    const strict = call.unused?.refused('/contact', () => unknownContactFields(unknown, objectives)) ?? [];
    // A completion would be lost silently if it were ignored as an unknown field is.
    const completes = objectives.some(({ key }) => Object.hasOwn(unknown, key)) ? [uniqueIdBesideId] : [];
    refuse([...otherErrors, ...(named ? [] : [unknownContact]), ...strict, ...completes.map(inContact)]);
  }
  const present = named?.contact ?? (await upserted(service, call, contact as ParsedContact, otherErrors));
  const [applied] = await startJourneys(service, teamId, [{ contact: present, template, change }]);
  if (!applied) throw validationFailed([isNamed(contact) ? unknownContact : erasedContact]);
  return applied;
}

const inContact = ({ path, message }: ErrorDetail): ErrorDetail => ({ path: `/contact${path}`, message });

function refuse(errors: readonly ErrorDetail[]): void {
  if (errors.length > 0) throw validationFailed(errors);
}

async function upserted(
  service: ContactService,
  call: Call,
  record: ParsedContact,
  otherErrors: readonly ErrorDetail[],
): Promise<ShownContact> {
  const errors = [...otherErrors, ...(await idErrors(service, call.teamId, record))];
  const where = { path: '/contact', otherErrors: errors };
  const { contact, journeys } = await upsertContact(service, call, record, where);
  await startJourneys(service, call.teamId, journeys);
  return contact;
}

const unknownContact: ErrorDetail = { path: '/contact/id', message: 'must be the id of an existing contact' };
const erasedContact: ErrorDetail = { path: '/contact', message: 'was erased while the request was running' };

const isNamed = (contact: JourneyRequest['contact']): contact is NamedContact =>
  !(contact instanceof InvalidContact) && !('fields' in contact);

/** If `id` is sent with other fields, it must be the id of the contact that `unique_id` names (contract, section 6). */
async function idErrors({ database }: Service, teamId: string, record: ParsedContact): Promise<ErrorDetail[]> {
  const uniqueId = record instanceof InvalidContact || record.id === undefined ? undefined : identityOf(record);
  if (record instanceof InvalidContact || uniqueId === undefined) return [];
  const resolved = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId);
  if (!resolved) throw new StoreUnavailable('the contact is being renamed');
  if (resolved.id !== record.id) {
    return [{ path: '/contact/unique_id', message: 'must be the unique_id of the contact that id names' }];
  }
  return resolved.stored ? [] : [unknownContact];
}
