import { isLiveMessage } from '../../domain/campaigns/message-plan.ts';
import { dueMomentOf } from '../../domain/journeys/due-moments.ts';
import { recordedEnding } from '../../domain/journeys/journey.ts';
import { zoneOf } from '../../domain/messages/decide.ts';
import { newRecord, type ShownMessage, shownMessageOf } from '../../domain/messages/record.ts';
import { notFound } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadContact } from '../../store/contacts/contacts.ts';
import { findJourney, loadJourneyWithActions } from '../../store/journeys/journeys.ts';
import { loadJourneyRecords } from '../../store/messages/records.ts';
import { derivedMessageId } from '../../store/table/ids.ts';
import type { ContactService } from '../service.ts';

/**
 * What became of the messages of the journey, and those that are still to come while it is open.
 * @throws Problem `not_found` if the team has no such journey
 */
export async function listJourneyMessages(
  { database, content: contents, now }: ContactService,
  teamId: string,
  journeyId: string,
): Promise<ShownMessage[]> {
  const key = await findJourney(database, teamId, journeyId);
  if (!key) throw notFound();
  const [stored, contact, records, { templates, team }] = await Promise.all([
    loadJourneyWithActions(database, teamId, key),
    loadContact(database, teamId, key.contactId),
    loadJourneyRecords(database, teamId, { contactId: key.contactId, journeyId }),
    contents.current(teamId),
  ]);
  const known = new Set(records.map(({ record }) => record.template_message_id));
  const template = templates.find(({ id }) => id === key.templateId);
  const isOpen = stored?.journey.id === journeyId && recordedEnding(stored.journey, stored.actions) === undefined;
  const planned = isOpen && template ? template.template_messages : [];
  const coming = planned.flatMap((message) => {
    const at = dueMomentOf(message, stored!.journey, zoneOf(contact?.contact, team));
    if (at === undefined || known.has(message.id) || !template || !isLiveMessage(template, message)) return [];
    const ids = { journey_id: journeyId, template_id: template.id, template_message_id: message.id };
    const id = derivedMessageId(teamId, journeyId, message.id);
    const channel = message.message.type === 'sms' ? 'sms' : 'email';
    return newRecord({ ...ids, id, channel, due_at: timestamp(at) });
  });
  return [...records.map(({ record }) => record), ...coming]
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
    .map((record) => shownMessageOf(record, now()));
}
