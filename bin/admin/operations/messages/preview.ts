import { addressHash } from '../../../../lib/auth/address-hash.ts';
import type { TemplateMessage } from '../../../../lib/domain/campaigns/message.ts';
import type { Template } from '../../../../lib/domain/campaigns/template.ts';
import { type MessageContent, messageContent } from '../../../../lib/domain/messages/content.ts';
import type { Team } from '../../../../lib/domain/teams/team.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { urlAt } from '../../../../lib/domain/values/url.ts';
import { renderContent } from '../../../../lib/email/rendering.ts';
import type { OutgoingMail, Sender } from '../../../../lib/email/sender.ts';
import { loadMessageContent } from '../../../../lib/operations/messages/content.ts';
import type { Rendering } from '../../../../lib/operations/messages/send.ts';
import { readResults } from '../../../../lib/operations/results/read.ts';
import type { JourneyService } from '../../../../lib/operations/service.ts';
import type { Content } from '../../../../lib/store/campaigns/content.ts';
import { loadByUniqueId } from '../../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../../lib/store/journeys/journeys.ts';
import { sampleContact, sampleJourney } from '../../../preview/sample.ts';

export type ShownTo = {
  team: Team;
  template: Template;
  message: TemplateMessage;
  content: Content;
  /** The contact whose values it shows; without it, a sample's. */
  uniqueId: string | undefined;
};

/** The message as a contact would get it now, whether or not it is due. @throws Problem `not_found` */
export async function messageFor(service: JourneyService, given: ShownTo): Promise<Rendering> {
  const { team, uniqueId } = given;
  const [content, timeZone] =
    uniqueId === undefined ? sampleContent(service, given) : await contentOf(service, given, uniqueId);
  // A link of a preview unsubscribes nobody.
  const unsubscribe = urlAt(service.baseUrl, '/m/preview');
  return renderContent(content, { team, timeZone, unsubscribe, baseUrl: service.baseUrl });
}

function sampleContent(
  { baseUrl, now }: Pick<JourneyService, 'baseUrl' | 'now'>,
  { team, template, message }: ShownTo,
  contact = sampleContact(timestamp(now())),
): [MessageContent, string | null] {
  const person = { contact, accounts: [] };
  const { journey, analytics } = sampleJourney(template, person, { features: team.features, now: timestamp(now()) });
  const subject = { ...{ team, template, message, contact, journey, baseUrl }, analytics: analytics([]) };
  return [messageContent(subject, undefined), contact.timezone];
}

async function contentOf(
  service: JourneyService,
  given: ShownTo,
  uniqueId: string,
): Promise<[MessageContent, string | null]> {
  const { database, now } = service;
  const { team_id: teamId } = given.team;
  const found = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId)?.stored;
  const aggregate = found && (await loadContactAggregate(database, teamId, found.contact.id));
  if (!aggregate) throw notFound();
  const { contact, journeys } = aggregate;
  const journey = journeys.findLast((each) => each.journey.template_id === given.template.id);
  if (!journey) return sampleContent(service, given, contact);
  const parts = { ...given, contact, journey, hash: '', messageId: '', now: now() };
  return [await loadMessageContent(service, parts), contact.timezone];
}

/** How many journeys of the campaign are open, each of which the message can go to, and how long they take. */
export async function reachOf(service: JourneyService, { team, template }: Pick<ShownTo, 'team' | 'template'>) {
  const { journeys } = await readResults(service, team.team_id, template.id);
  const { created, completed, cancelled, expired } = journeys;
  const open = Math.max(0, created - completed - cancelled - expired);
  return {
    open_journeys: open,
    messages_a_second: team.messages_a_second,
    seconds: Math.ceil(open / team.messages_a_second),
  };
}

/** Hands the message to an address, as a test that counts nowhere. @param of.id of the test @param of.secret hashes the address */
export async function sendTest(
  sender: Sender,
  { team_id: team }: Pick<Team, 'team_id'>,
  { mail: { values, ...mail } }: Extract<Rendering, { mail: unknown }>,
  { id, to, secret }: { id: string; to: string; secret: string },
): Promise<OutgoingMail | undefined> {
  const address = addressHash(secret, team, to);
  if (address === undefined) return undefined;
  const { 'List-Unsubscribe': _, 'List-Unsubscribe-Post': __, ...headers } = mail.headers;
  // Nothing is stored under its id, so what the provider reports of it is not counted.
  const tags = { message: id, address, team };
  const test: OutgoingMail = { ...mail, headers, to, subject: `[Test] ${mail.subject}`, tags };
  await sender.send(test);
  return test;
}
