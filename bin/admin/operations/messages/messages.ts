import { classOf } from '../../../../lib/domain/messages/decide.ts';
import { type MessageState, type Paused, pausedBy, pauseOf, resumed } from '../../../../lib/domain/messages/pause.ts';
import {
  isResendable,
  resent,
  type SendRecord,
  type ShownMessage,
  shownMessageOf,
} from '../../../../lib/domain/messages/record.ts';
import { notFound, Problem } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { dueAt } from '../../../../lib/domain/waiting-work/due.ts';
import { listJourneyMessages } from '../../../../lib/operations/messages/list.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { ContactService, Service } from '../../../../lib/operations/service.ts';
import { loadByUniqueId, loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../../lib/store/journeys/journeys.ts';
import { messageLane, sendWork } from '../../../../lib/store/messages/lane.ts';
import { findRecord, loadRecord, recordWrites, storedRecord } from '../../../../lib/store/messages/records.ts';
import { loadMessageState, messageStateWrite } from '../../../../lib/store/messages/state.ts';
import { type Item, writeOne } from '../../../../lib/store/table/database.ts';
import { teamItemKind } from '../../../../lib/store/table/item-kinds.ts';
import { contactIdOfPartition } from '../../../../lib/store/table/keys.ts';
import { planWrite } from '../../../../lib/store/waiting-work/due-work.ts';
import type { Installation } from '../../installation.ts';
import { applyJournal, type JournalService } from '../suppression/suppression.ts';

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

type StateService = Service & Pick<Installation, 'eventEpoch'>;

/** Pauses the messages of the team, or those of a template. @returns false if they were paused already */
export async function pauseMessages(
  { database, now, ...service }: StateService,
  teamId: string,
  { by, reason }: Pick<Paused, 'by' | 'reason'>,
  templateId?: string,
): Promise<boolean> {
  const at = timestamp(now());
  return untilWritten(service, 'too many conflicts on the state of messages', async () => {
    const { version, ...state } = await loadMessageState(database, teamId);
    if ((templateId === undefined ? state.paused : state.templates[templateId]) != null) return false;
    const next = pausedBy(state, { at, by, reason }, templateId);
    return (await writeOne(database, messageStateWrite(teamId, next, version))) ? true : lostRace;
  });
}

/**
 * Lets the messages of the team, or those of a template, go on. After a restore of the table, the journal of leavings is
 * applied first: what the table has forgotten counts before anything is sent.
 * @returns the state before
 */
export async function resumeMessages(
  service: StateService & JournalService & Pick<Installation, 'wake'>,
  teamId: string,
  templateId?: string,
): Promise<MessageState> {
  const { database, now, eventEpoch } = service;
  const isRestored = pauseOf(await loadMessageState(database, teamId), eventEpoch) === 'restored';
  if (isRestored && templateId === undefined) await applyJournal(service, teamId);
  const before = await untilWritten(service, 'too many conflicts on the state of messages', async () => {
    const { version, ...state } = await loadMessageState(database, teamId);
    const next = resumed(state, timestamp(now()), eventEpoch, templateId);
    // What waits for its campaign lies with its journeys, which are walked.
    const walk = templateId === undefined ? [] : [planWrite(teamId, dueAt(now(), now())!, templateId)];
    return (await database.transact([messageStateWrite(teamId, next, version), ...walk])) ? state : lostRace;
  });
  // The sweeper replaces a wake that is lost.
  await service.wake(messageLane(teamId)).catch(() => {});
  return before;
}

/**
 * Sends a message again that failed, or of which it is not known whether it was sent.
 * @throws Problem `not_found`; `conflict` for any other message
 */
export async function resendMessage(
  service: ContactService & Pick<Installation, 'wake'>,
  teamId: string,
  messageId: string,
): Promise<ShownMessage> {
  const { database, now, content } = service;
  const { templates } = await content.current(teamId);
  const shown = await untilWritten(service, 'too many conflicts on the record of a message', async () => {
    const place = await findRecord(database, teamId, messageId);
    const stored = place && (await loadRecord(database, teamId, place));
    if (!stored) throw notFound();
    if (!('journeyId' in place) || !isResendable(stored.record, now())) {
      const { state } = shownMessageOf(stored.record, now());
      const message = `only a message that is unconfirmed or failed can be sent again; this one is ${state}`;
      throw new Problem('conflict', [{ path: '--id', message }]);
    }
    const { template_id, template_message_id } = stored.record;
    const template = templates.find(({ id }) => id === template_id);
    const message = template?.template_messages.find(({ id }) => id === template_message_id);
    if (!message)
      throw new Problem('conflict', [{ path: '--id', message: 'the campaign does not have this message any more' }]);
    const at = timestamp(now());
    const record = resent(stored.record, at);
    const work = { order: classOf(message), at, ...place };
    const writes = [...recordWrites(teamId, place, record, stored.version), sendWork(teamId, work)];
    return (await database.transact(writes)) ? shownMessageOf(record, now()) : lostRace;
  });
  await service.wake(messageLane(teamId)).catch(() => {});
  return shown;
}
