import { contentReference, defaultReference } from '../../auth/content-reference.ts';
import type { Caller } from '../../domain/access/caller.ts';
import type { Lookup } from '../../domain/contacts/lookup.ts';
import {
  type ContentReference,
  contentPath,
  isAlwaysShown,
  isShown,
  type Offer,
  offersOf,
} from '../../domain/journeys/channel-content.ts';
import { journeyUrl } from '../../domain/journeys/journey.ts';
import { secretsOf } from '../../domain/teams/team.ts';
import { notFound } from '../../domain/values/problem.ts';
import { urlAt } from '../../domain/values/url.ts';
import type { Content } from '../../store/campaigns/content.ts';
import type { ContactAggregate, JourneyWithActions } from '../../store/journeys/journeys.ts';
import { findInContent } from '../campaigns/find-template.ts';
import type { ContactService, JourneyService, Settings } from '../service.ts';
import { findContact } from './find-contact.ts';
import { accountsOf, contentFor, pairsOf, progressOf, recordShown } from './progress.ts';

/**
 * The channel's content for the contact that matches the lookup. It is the channel's default content if no contact or
 * several contacts match, or if there is no content for the contact.
 * @throws Problem `not_found` if the team has no such channel; `too_many_requests` as in `withinScanBudget`
 */
export async function channelContent(
  service: JourneyService & Pick<Settings, 'scanUnits'>,
  caller: Pick<Caller, 'teamId' | 'clientId'>,
  channelId: string,
  lookup: Lookup,
): Promise<ContentReference> {
  const { baseUrl } = service;
  const { teamId } = caller;
  const [known, aggregate] = await Promise.all([
    contentWith(service, teamId, channelId),
    findContact(service, caller, lookup),
  ]);
  const content = aggregate ? await contentFor(service.content, teamId, aggregate, known) : known;
  if (!content.team) throw notFound();
  const secrets = secretsOf(content.team);
  const offer = aggregate && (await firstOffer(service, teamId, { content, aggregate, channelId }));
  if (!offer) return referenceTo(service, channelId, defaultReference(teamId, secrets, channelId), null);
  const { journey } = offer.journey;
  const location = { channelId, contactId: journey.contact_id, journeyId: journey.id, containerId: offer.container.id };
  return referenceTo(
    service,
    channelId,
    contentReference(teamId, secrets, location),
    journeyUrl(baseUrl, journey.slug),
  );
}

/** The team's content, in which the channel exists. @throws Problem `not_found` */
export async function contentWith(
  { content }: Pick<ContactService, 'content'>,
  teamId: string,
  channelId: string,
): Promise<Content> {
  const found = await findInContent(content, teamId, (each) =>
    each.engagement_channels.some(({ id }) => id === channelId) ? each : undefined,
  );
  if (!found) throw notFound();
  return found;
}

/** The first offer that is shown. Progress is computed only if it can matter. */
async function firstOffer(
  service: JourneyService,
  teamId: string,
  { content, aggregate, channelId }: { content: Content; aggregate: ContactAggregate; channelId: string },
): Promise<Offer<JourneyWithActions> | undefined> {
  const offers = offersOf(pairsOf(aggregate, content), content.templates, channelId, service.now());
  if (!offers[0] || isAlwaysShown(offers[0])) return offers[0];
  const offering = new Set(offers.map(({ journey }) => journey.journey.id));
  const journeys = aggregate.journeys.filter(({ journey }) => offering.has(journey.id));
  const accounts = accountsOf(service, teamId, aggregate.links);
  const progress = await progressOf({ ...aggregate, journeys }, content, accounts, service.now());
  // Skipping a page shows that it is completed, so its completion is recorded.
  const ended = await recordShown(service.database, teamId, progress);
  const analytics = new Map(progress.map((each) => [each.journey.id, each.analytics]));
  return offers.find(({ journey: { journey }, ...offer }) => {
    return !ended.includes(journey.id) && isShown(offer, analytics.get(journey.id)!);
  });
}

function referenceTo(
  { baseUrl }: JourneyService,
  channelId: string,
  reference: string,
  journey_url: string | null,
): ContentReference {
  const url = urlAt(baseUrl, contentPath(channelId, reference));
  return { _type: 'content_container_reference', journey_url, url };
}
