import { type SendRecord, type ShownMessage, shownMessageOf } from '../../../../lib/domain/messages/record.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { listJourneyMessages } from '../../../../lib/operations/messages/list.ts';
import type { ContactService, Service } from '../../../../lib/operations/service.ts';
import { loadByUniqueId, loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../../lib/store/journeys/journeys.ts';
import { findRecord, loadRecord, storedRecord } from '../../../../lib/store/messages/records.ts';
import type { Item } from '../../../../lib/store/table/database.ts';
import { teamItemKind } from '../../../../lib/store/table/item-kinds.ts';
import { contactIdOfPartition } from '../../../../lib/store/table/keys.ts';
import type { Installation } from '../../installation.ts';

export type ListedMessage = ShownMessage & {
  contact_id: string;
  unique_id: string | null;
  journey_id: string;
  template_id: string;
  /** Content name of the message. */
  name: string | null;
};
export type MessageFilter = { state?: string | undefined; since?: string | undefined };

const isListed =
  ({ state, since }: MessageFilter) =>
  (message: ShownMessage): boolean =>
    (state === undefined || message.state === state) && (since === undefined || message.due_at >= since);

const newestFirst = (a: ShownMessage, b: ShownMessage): number => (a.due_at < b.due_at ? 1 : -1);

/** The names of the messages of the campaigns, by template message. */
async function namesOf({ content }: ContactService, teamId: string): Promise<Map<string, string | null>> {
  const { templates } = await content.current(teamId);
  return new Map(
    templates.flatMap(({ template_messages }) =>
      template_messages.map(({ id, message }) => [id, message.content_name] as const),
    ),
  );
}

/** The messages of one contact, newest first, with those that are still to come. @throws Problem `not_found` */
export async function messagesOf(
  service: ContactService,
  teamId: string,
  uniqueId: string,
  filter: MessageFilter,
): Promise<ListedMessage[]> {
  const { database } = service;
  const contact = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId)?.stored?.contact;
  const aggregate = contact && (await loadContactAggregate(database, teamId, contact.id));
  if (!contact || !aggregate) throw notFound();
  const names = await namesOf(service, teamId);
  const found: ListedMessage[] = [];
  for (const { journey } of aggregate.journeys) {
    const of = { contact_id: contact.id, unique_id: contact.unique_id };
    const ids = { ...of, journey_id: journey.id, template_id: journey.template_id };
    for (const message of await listJourneyMessages(service, teamId, journey.id)) {
      found.push({ ...message, ...ids, name: names.get(message.template_message_id) ?? null });
    }
  }
  return found.filter(isListed(filter)).sort(newestFirst);
}

/** What was due of all contacts of the team, newest first. Reads the whole table. */
export async function allMessages(
  service: ContactService & Pick<Installation, 'scanTeam'>,
  teamId: string,
  filter: MessageFilter,
): Promise<ListedMessage[]> {
  const names = await namesOf(service, teamId);
  const found: ListedMessage[] = [];
  for await (const items of service.scanTeam(teamId)) {
    const sent = items.filter((item) => teamItemKind(teamId, item) === 'messages');
    const shown = sent.map((item) => listedOf(item, names, service.now())).filter(isListed(filter));
    const contactIds = [...new Set(shown.map(({ contact_id }) => contact_id))];
    const contacts = await loadContacts(service.database, teamId, contactIds);
    const uniqueIds = new Map(contactIds.map((id, index) => [id, contacts[index]?.contact.unique_id ?? null]));
    for (const each of shown) found.push({ ...each, unique_id: uniqueIds.get(each.contact_id) ?? null });
  }
  return found.sort(newestFirst);
}

function listedOf(item: Item, names: ReadonlyMap<string, string | null>, now: number): ListedMessage {
  const { record } = storedRecord(item);
  const { journey_id, template_id, template_message_id } = record;
  const ids = { contact_id: contactIdOfPartition(item.pk), unique_id: null, journey_id, template_id };
  return { ...shownMessageOf(record, now), ...ids, name: names.get(template_message_id) ?? null };
}

/** The record of a message, and whose it is. @throws Problem `not_found` */
export async function recordOf(
  { database }: Pick<Service, 'database'>,
  teamId: string,
  messageId: string,
): Promise<{ record: SendRecord; contactId: string }> {
  const place = await findRecord(database, teamId, messageId);
  const stored = place && (await loadRecord(database, teamId, place));
  if (!stored) throw notFound();
  return { record: stored.record, contactId: place.contactId };
}
