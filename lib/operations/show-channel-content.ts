import { type ContentLocation, contentReference, openReference, teamOfReference } from '../auth/content-reference.ts';
import { type Offer, offersOf } from '../domain/channel-content.ts';
import type { Analytics } from '../domain/completion.ts';
import type { Contact } from '../domain/contact.ts';
import type { EngagementChannel } from '../domain/content/channel.ts';
import type { ContentContainer, Page, TemplatePage } from '../domain/content/page.ts';
import type { Template } from '../domain/content/template.ts';
import { type IdentityNeed, identityNeedInChannel } from '../domain/identity-need.ts';
import { type Journey, journeyUrl } from '../domain/journey.ts';
import { accountFor, type LinkedAccount } from '../domain/linked-account.ts';
import { namesAccount, type Values } from '../domain/placeholders.ts';
import { notFound } from '../domain/problem.ts';
import { type BlockAnswer, latestAnswers, type PageAction } from '../domain/response.ts';
import { secretsOf, type Team, type TeamSecrets } from '../domain/team.ts';
import { timestamp } from '../domain/timestamp.ts';
import type { Content } from '../store/content.ts';
import { type ContactAggregate, loadContactAggregate } from '../store/journeys.ts';
import { loadTeam } from '../store/teams.ts';
import { contentWith } from './channel-content.ts';
import { findInContent } from './find-in-content.ts';
import { accountsOf, type JourneyProgress, pairsOf, progressOf, recordShown } from './journeys/progress.ts';
import { type RecordDependencies, recordAction } from './journeys/record-action.ts';

/** A page whose content the channel can show to the contact, and how it is reached. */
export type Neighbour = { page: Page; reference: string; isShown: boolean };

/** Content for a contact, as it stands now. */
export type OfferedContent = {
  journey: Journey;
  template: Template;
  contact: Contact;
  /** What `account.…` stands for. */
  account: LinkedAccount | undefined;
  shown: TemplatePage;
  container: ContentContainer;
  analytics: Analytics;
  /** The latest answer to each block of the page. */
  answers: ReadonlyMap<string, BlockAnswer>;
  /** What would have to be proved for what the content withholds; nobody can, in a channel. */
  identityNeed: IdentityNeed | undefined;
  /** All that the channel has for the contact, this among it, in the order in which it counts. */
  around: Neighbour[];
};

export type ChannelContent = {
  team: Team;
  channel: EngagementChannel;
  /** Whether the address is that of the default content, the same for everybody. */
  isForAll: boolean;
  /** Nothing where the default content is to be shown. */
  offered: OfferedContent | undefined;
};

/**
 * What a content address shows. One that named content which is there no longer, or is no longer for the contact, shows
 * the default content; content that is complete stays, since the person may have completed it here just now.
 * @throws Problem `not_found` when the reference does not open, whatever the reason
 */
export async function showChannelContent(
  dependencies: RecordDependencies,
  channelId: string,
  reference: string,
): Promise<ChannelContent> {
  const { team, place } = await openContent(dependencies, channelId, reference);
  const isForAll = place === 'default';
  const [content, file] = await Promise.all([
    contentWith(dependencies, team.team_id, channelId),
    isForAll ? undefined : loadContactAggregate(dependencies.database, team.team_id, place.contactId),
  ]);
  const channel = content.engagement_channels.find(({ id }) => id === channelId)!;
  const found = isForAll || !file ? undefined : await findOffer(dependencies, team, { place, file, content });
  const offered = found && (await withProgress(dependencies, team, found));
  return { team, channel, isForAll, offered };
}

/**
 * Records what the person did in the frame, as on the journey's own page.
 * @throws Problem `not_found` when the reference names nothing that is for the contact now; `identity_required` for what
 * asks for a proof, which nobody can give here; `validation_failed` when the page completes by something that does not
 * happen on it
 */
export async function recordContentAction(
  dependencies: RecordDependencies,
  { team, place }: OpenedContent,
  action: Omit<PageAction, 'page_id'>,
): Promise<void> {
  if (place === 'default') throw notFound();
  const [content, file] = await Promise.all([
    contentWith(dependencies, team.team_id, place.channelId),
    loadContactAggregate(dependencies.database, team.team_id, place.contactId),
  ]);
  const found = file && (await findOffer(dependencies, team, { place, file, content }));
  if (!found) throw notFound();
  const { own, shown, need } = inChannel(found);
  const journeys = file.journeys.filter(({ journey }) => journey.id === own.journey.journey.id);
  const accounts = accountsOf(dependencies, team.team_id, file.links);
  const [progress] = await progressOf({ ...file, journeys }, found.content, accounts, dependencies.now());
  const values = async (): Promise<Values> => ({
    contact: file.contact,
    account: accountFor(shown.page, await accounts(), team.features, timestamp(dependencies.now())),
    isIdentityValidated: false,
    journeyUrl: journeyUrl(dependencies.baseUrl, own.journey.journey.slug),
    teamName: team.name,
    templateName: own.journey.template.name ?? undefined,
    variables: shown.content_variables ?? {},
  });
  const { content_blocks: blocks } = own.container;
  const { revision } = found.content;
  const context = { progress: progress!, shown, blocks, revision, values, identityNeed: need, isIdentityProved: false };
  await recordAction(dependencies, team.team_id, context, action);
}

function inChannel({ own }: Found) {
  const { template } = own.journey;
  const shown = template.template_pages.find(({ page }) => page.id === own.page.id)!;
  return { own, shown, need: identityNeedInChannel(template, shown, own.container) };
}

/** Opens nothing that anybody made: a team that does not exist takes as long as one that does. */
const nobodysSecrets: TeamSecrets = [{ id: 1, secret: '' }];

/** What a reference names. */
export type OpenedContent = { team: Team; place: ContentLocation | 'default' };

/**
 * The team alone is read before, so that whoever makes up references neither learns of teams nor fills the memory.
 * @throws Problem `not_found` when the reference does not open
 */
export async function openContent(
  { database }: Pick<RecordDependencies, 'database'>,
  channelId: string,
  reference: string,
): Promise<OpenedContent> {
  const teamId = teamOfReference(reference);
  if (teamId === undefined) throw notFound();
  const team = await loadTeam(database, teamId);
  const place = openReference(teamId, team ? secretsOf(team) : nobodysSecrets, channelId, reference);
  if (!team || !place) throw notFound();
  return { team, place };
}

type Sought = { place: ContentLocation; file: ContactAggregate; content: Content };
type JourneyOffer = Offer<ReturnType<typeof pairsOf>[number]>;
type Found = Sought & { own: JourneyOffer; offers: JourneyOffer[] };

const findOffer = ({ content, now }: RecordDependencies, team: Team, sought: Sought): Promise<Found | undefined> =>
  findInContent(content, team.team_id, (each) => offerIn({ ...sought, content: each }, now()), sought.content);

function offerIn(sought: Sought, now: number): Found | undefined {
  const { place, file, content } = sought;
  const offers = offersOf(pairsOf(file, content), content.templates, place.channelId, now);
  const own = offers.find(({ journey, container }) => {
    return journey.journey.id === place.journeyId && container.id === place.containerId;
  });
  return own && { ...sought, own, offers };
}

async function withProgress(dependencies: RecordDependencies, team: Team, found: Found): Promise<OfferedContent> {
  const { place, file, content, offers } = found;
  const { own, shown, need } = inChannel(found);
  const offering = new Set(offers.map(({ journey }) => journey.journey.id));
  const journeys = file.journeys.filter(({ journey }) => offering.has(journey.id));
  const accounts = accountsOf(dependencies, team.team_id, file.links);
  const now = dependencies.now();
  const progress = await progressOf({ ...file, journeys }, content, accounts, now);
  const texts = [shown.page.completion_message, ...own.container.content_blocks.map(({ data }) => data)];
  const isAsked = namesAccount(texts, shown.content_variables ?? {});
  const [held] = await Promise.all([
    isAsked ? accounts() : [],
    recordShown(dependencies.database, team.team_id, progress),
  ]);
  const byJourney = new Map(progress.map((each) => [each.journey.id, each]));
  const of = ({ journey }: JourneyOffer): JourneyProgress => byJourney.get(journey.journey.id)!;
  const isListed = (each: JourneyOffer) =>
    each === own || !each.page.hide_when_complete || !of(each).analytics.pages_completed.includes(each.page.id);
  const { journey, template, analytics, answers } = of(own);
  return {
    ...{ journey, template, analytics, shown, contact: file.contact, container: own.container },
    account: isAsked ? accountFor(shown.page, held, team.features, timestamp(now)) : undefined,
    identityNeed: need,
    answers: latestAnswers(answers, own.page.id),
    around: offers.filter(isListed).map((each) => {
      const there = { ...place, journeyId: each.journey.journey.id, containerId: each.container.id };
      const reference = contentReference(team.team_id, secretsOf(team), there);
      return { page: each.page, reference, isShown: each === own };
    }),
  };
}
