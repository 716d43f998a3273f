import { addressHash } from '../../auth/address-hash.ts';
import type { TemplateMessage } from '../../domain/campaigns/message.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { loadContact, type StoredContact } from '../../store/contacts/contacts.ts';
import { findJourney, type JourneyWithActions, loadJourneyWithActions } from '../../store/journeys/journeys.ts';
import type { SendWork } from '../../store/messages/lane.ts';
import { loadRecord, type RecordPlace, type StoredRecord } from '../../store/messages/records.ts';
import { loadAddressWeek, loadContactWeek, type Week } from '../../store/messages/weeks.ts';
import { loadSuppressions, type StoredSuppression } from '../../store/suppression/suppression.ts';
import type { ContactService, MessagesAccess } from '../service.ts';

type LoadService = Pick<ContactService, 'database'> & { messages: MessagesAccess };

/** An address, and what is stored of it under its keyed hash. */
export type Address = { email: string; hash: string; entry: StoredSuppression | undefined; week: Week };

/** What is stored of a message that is due, all strongly consistent. */
export type DueMessage = {
  place: Extract<RecordPlace, { journeyId: string }>;
  stored: JourneyWithActions;
  contact: StoredContact;
  contactWeek: Week;
  /** `undefined` if the contact has no address. */
  address: Address | undefined;
  record: StoredRecord | undefined;
};

/** `undefined` if the journey or its contact was erased. */
export async function loadDueMessage(
  service: LoadService,
  teamId: string,
  { journeyId, templateMessageId }: Pick<SendWork, 'journeyId' | 'templateMessageId'>,
): Promise<DueMessage | undefined> {
  const { database } = service;
  const key = await findJourney(database, teamId, journeyId);
  if (!key) return undefined;
  const place = { contactId: key.contactId, journeyId, templateMessageId };
  const [contact, stored, record, contactWeek] = await Promise.all([
    loadContact(database, teamId, key.contactId),
    loadJourneyWithActions(database, teamId, key),
    loadRecord(database, teamId, place),
    loadContactWeek(database, teamId, key.contactId),
  ]);
  if (!contact || stored?.journey.id !== journeyId) return undefined;
  const address = await loadAddress(service, teamId, contact.contact.email);
  return { place, stored, contact, contactWeek, address, record };
}

export async function loadAddress(
  { database, messages }: LoadService,
  teamId: string,
  email: string | null,
): Promise<Address | undefined> {
  const hash = email === null ? undefined : addressHash(await messages.secret(), teamId, email);
  if (email === null || hash === undefined) return undefined;
  const [[entry], week] = await Promise.all([
    loadSuppressions(database, teamId, [hash]),
    loadAddressWeek(database, teamId, hash),
  ]);
  return { email, hash, entry, week };
}

/** The template message as it is now; `undefined` if the campaign no longer has it. */
export function messageIn(
  templates: readonly Template[],
  templateId: string,
  templateMessageId: string,
): { template: Template; message: TemplateMessage } | undefined {
  const template = templates.find(({ id }) => id === templateId);
  const message = template?.template_messages.find(({ id }) => id === templateMessageId);
  return template && message && { template, message };
}
