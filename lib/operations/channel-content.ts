import { contentReference, defaultReference } from '../auth/content-reference.ts';
import { type ContentReference, contentPath, type Offer, offersOf } from '../domain/channel-content.ts';
import { journeyUrl } from '../domain/journey.ts';
import type { Lookup } from '../domain/lookup.ts';
import { notFound } from '../domain/problem.ts';
import { secretsOf } from '../domain/team.ts';
import { urlAt } from '../domain/url.ts';
import type { Content } from '../store/content.ts';
import type { ContactAggregate, JourneyWithActions } from '../store/journeys.ts';
import { findContact } from './find-contact.ts';
import { findInContent } from './find-in-content.ts';
import type { ProgressDependencies } from './journeys/dependencies.ts';
import { accountsOf, contentFor, pairsOf, progressOf, recordShown } from './journeys/progress.ts';

export type ChannelDependencies = ProgressDependencies & {
  /** Base address of the web client, which shows journeys and content. */
  baseUrl: string;
};

/**
 * The content of the channel for the one contact that matches; the channel's default when none does, or several, or
 * when there is nothing for the contact.
 * @throws Problem `not_found` when the team has no such channel
 */
export async function channelContent(
  dependencies: ChannelDependencies,
  teamId: string,
  channelId: string,
  lookup: Lookup,
): Promise<ContentReference> {
  const { baseUrl } = dependencies;
  const [known, file] = await Promise.all([
    contentWith(dependencies, teamId, channelId),
    findContact(dependencies, teamId, lookup),
  ]);
  const content = file ? await contentFor(dependencies.content, teamId, file, known) : known;
  if (!content.team) throw notFound();
  const secrets = secretsOf(content.team);
  const offer = file && (await firstOffer(dependencies, teamId, { content, file, channelId }));
  if (!offer) return answer(dependencies, channelId, defaultReference(teamId, secrets, channelId), null);
  const { journey } = offer.journey;
  const place = { channelId, contactId: journey.contact_id, journeyId: journey.id, containerId: offer.container.id };
  return answer(dependencies, channelId, contentReference(teamId, secrets, place), journeyUrl(baseUrl, journey.slug));
}

/** Content that has the channel. @throws Problem `not_found` */
export async function contentWith(
  { content }: Pick<ChannelDependencies, 'content'>,
  teamId: string,
  channelId: string,
): Promise<Content> {
  const found = await findInContent(content, teamId, (each) =>
    each.engagement_channels.some(({ id }) => id === channelId) ? each : undefined,
  );
  if (!found) throw notFound();
  return found;
}

/** The first page that is not hidden because it is complete. Progress is looked at only where that can decide. */
async function firstOffer(
  dependencies: ChannelDependencies,
  teamId: string,
  { content, file, channelId }: { content: Content; file: ContactAggregate; channelId: string },
): Promise<Offer<JourneyWithActions> | undefined> {
  const offers = offersOf(pairsOf(file, content), content.templates, channelId, dependencies.now());
  if (!offers[0]?.page.hide_when_complete) return offers[0];
  const offering = new Set(offers.map(({ journey }) => journey.journey.id));
  const journeys = file.journeys.filter(({ journey }) => offering.has(journey.id));
  const accounts = accountsOf(dependencies, teamId, file.links);
  const progress = await progressOf({ ...file, journeys }, content, accounts, dependencies.now());
  // What is passed over is shown as completed by that.
  await recordShown(dependencies.database, teamId, progress);
  const completed = new Map(progress.map(({ journey, analytics }) => [journey.id, analytics.pages_completed]));
  return offers.find(({ journey, page }) => {
    return !page.hide_when_complete || !completed.get(journey.journey.id)?.includes(page.id);
  });
}

function answer(
  { baseUrl }: ChannelDependencies,
  channelId: string,
  reference: string,
  journey_url: string | null,
): ContentReference {
  const url = urlAt(baseUrl, contentPath(channelId, reference));
  return { _type: 'content_container_reference', journey_url, url };
}
