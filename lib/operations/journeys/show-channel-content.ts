import {
  type ContentLocation,
  contentReference,
  openReference,
  teamOfReference,
} from '../../auth/content-reference.ts';
import type { EngagementChannel } from '../../domain/campaigns/channel.ts';
import type { ContentContainer, Page, TemplatePage } from '../../domain/campaigns/page.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { inAllLanguages, localized } from '../../domain/campaigns/translate.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { isOfOtherText, type PageAction, type ShownAnswer, shownAnswer } from '../../domain/journeys/answer.ts';
import { isShown, isTeaser, type Offer, offersOf } from '../../domain/journeys/channel-content.ts';
import type { Analytics } from '../../domain/journeys/completion.ts';
import { latestAnswers } from '../../domain/journeys/given-answer.ts';
import { type IdentityNeed, identityNeedInChannel } from '../../domain/journeys/identity-need.ts';
import { type Journey, journeyUrl } from '../../domain/journeys/journey.ts';
import type { LinkedAccount } from '../../domain/journeys/linked-account.ts';
import { namesAccount, type Values } from '../../domain/journeys/placeholders.ts';
import { secretsOf, type Team, type TeamSecrets } from '../../domain/teams/team.ts';
import { notFound } from '../../domain/values/problem.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { type ContactAggregate, loadResponsesTo, loadShownAggregate } from '../../store/journeys/journeys.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import { findInContent } from '../campaigns/find-template.ts';
import type { JourneyService, Service } from '../service.ts';
import { contentWith } from './channel-content.ts';
import {
  type JourneyProgress,
  pairsOf,
  placeholderAccount,
  progressOf,
  recordShown,
  shownAccountsOf,
} from './progress.ts';
import { recordAction } from './record-action.ts';
import type { PageInLanguage } from './show.ts';

/** A page whose content the channel can show to the contact, with the reference of its content URL. */
export type AvailableContent = { page: Page; reference: string; isShown: boolean };

/** The current content for a contact. */
export type OfferedContent = {
  journey: Journey;
  template: Template;
  /** Language of the content. */
  language: string | null;
  contact: Contact;
  /** The account of `account.…` placeholders. */
  account: LinkedAccount | undefined;
  shown: TemplatePage;
  container: ContentContainer;
  analytics: Analytics;
  /** The latest answer to each block of the page. */
  answers: ReadonlyMap<string, ShownAnswer>;
  /** Set if parts of the content are withheld until an identity proof, which is not possible in a channel. */
  identityNeed: IdentityNeed | undefined;
  /** All content of the channel for the contact, including this, in order of priority. */
  around: AvailableContent[];
};

export type ChannelContent = {
  team: Team;
  channel: EngagementChannel;
  /** True if the URL is that of the default content, which is the same for all contacts. */
  isForAll: boolean;
  /** `undefined` if the default content is shown. */
  offered: OfferedContent | undefined;
};

/**
 * The content that a content URL shows. If that content no longer exists, or is no longer for the contact, it is the
 * default content. Completed content is still shown, because the person may have completed it here just now.
 * @throws Problem `not_found` if the reference cannot be opened, for any reason
 */
export async function showChannelContent(
  service: JourneyService,
  channelId: string,
  reference: string,
  acceptLanguage?: string,
): Promise<ChannelContent> {
  const { team, location } = await openContent(service, channelId, reference);
  const isForAll = location === 'default';
  const [content, aggregate] = await Promise.all([
    contentWith(service, team.team_id, channelId),
    isForAll ? undefined : loadShownAggregate(service.database, team.team_id, location.contactId),
  ]);
  const channel = content.engagement_channels.find(({ id }) => id === channelId)!;
  const found =
    isForAll || !aggregate
      ? undefined
      : await findOffer(service, team, { location, aggregate, content, acceptLanguage });
  const offered = found && (await withProgress(service, team, found));
  return { team, channel, isForAll, offered };
}

/**
 * Records an action of the person in the frame, like on the journey's own page.
 * @throws Problem `not_found` if the reference names no current content of the contact; `identity_required` if the
 * action needs an identity proof, which is not possible here; `validation_failed` if the page is completed by something
 * that does not happen on it
 */
export async function recordContentAction(
  service: JourneyService,
  { team, location }: OpenedContent,
  action: Omit<PageAction, 'page_id'>,
  acceptLanguage?: string,
): Promise<void> {
  if (location === 'default') throw notFound();
  const [content, aggregate] = await Promise.all([
    contentWith(service, team.team_id, location.channelId),
    loadShownAggregate(service.database, team.team_id, location.contactId),
  ]);
  const found = aggregate && (await findOffer(service, team, { location, aggregate, content, acceptLanguage }));
  if (!found) throw notFound();
  const { own, template: chosen, shown, container } = inChannel(found, team);
  if (action.type === 'page_viewed' && isTeaser(shown.page, container)) return;
  const { links } = aggregate;
  const journeys = aggregate.journeys.filter(({ journey }) => journey.id === own.journey.journey.id);
  const accounts = shownAccountsOf(service, team.team_id, { ...aggregate, journeys }, found.content);
  const [progress] = await progressOf({ ...aggregate, journeys }, found.content, accounts, service.now());
  const languages = inAllLanguages(own.journey.template, team, chosen, action.language).map((template) => {
    const { shown, container } = partsIn(template, own);
    const need = identityNeedInChannel(template, shown, container);
    return { template, shown, blocks: container.content_blocks, need };
  });
  const values = async ({ template, ...page }: PageInLanguage): Promise<Values> => ({
    contact: aggregate.contact,
    account: await placeholderAccount(service, team, { ...own.journey, ...{ page: shown.page, links, accounts } }),
    isIdentityValidated: false,
    journeyUrl: journeyUrl(service.baseUrl, own.journey.journey.slug),
    teamName: team.name,
    templateName: template.name ?? undefined,
    variables: page.shown.content_variables ?? {},
  });
  const page = { progress: progress!, shown, languages, content: found.content };
  const { factsChange } = aggregate;
  const context = { ...page, values, isIdentityProved: false, factsChange };
  await recordAction(service, team.team_id, context, action);
}

/** The content as the person sees it, in the language that is chosen for them. */
function inChannel({ own, aggregate: { contact }, acceptLanguage }: Found, team: Team) {
  const { template, language } = localized(own.journey.template, team, contact, acceptLanguage);
  const { shown, container } = partsIn(template, own);
  return { own, template, language, shown, container, need: identityNeedInChannel(template, shown, container) };
}

function partsIn(template: Template, own: JourneyOffer) {
  const shown = template.template_pages.find(({ page }) => page.id === own.page.id)!;
  return { shown, container: shown.page.content_containers.find(({ id }) => id === own.container.id)! };
}

/** Opens no reference. It is used for teams that do not exist, so that they take as long as those that exist. */
const unusedSecrets: TeamSecrets = [{ id: 1, secret: '' }];

/** The team and location that a reference names. */
export type OpenedContent = { team: Team; location: ContentLocation | 'default' };

/**
 * Opens a reference. Only the team is read first, so that a client with invented references neither learns which teams
 * exist nor fills the cache of content.
 * @throws Problem `not_found` if the reference cannot be opened
 */
export async function openContent(
  { database }: Pick<Service, 'database'>,
  channelId: string,
  reference: string,
): Promise<OpenedContent> {
  const teamId = teamOfReference(reference);
  if (teamId === undefined) throw notFound();
  const team = await loadTeam(database, teamId);
  const location = openReference(teamId, team ? secretsOf(team) : unusedSecrets, channelId, reference);
  if (!team || !location) throw notFound();
  return { team, location };
}

type Search = {
  location: ContentLocation;
  aggregate: ContactAggregate;
  content: Content;
  acceptLanguage: string | undefined;
};
type JourneyOffer = Offer<ReturnType<typeof pairsOf>[number]>;
type Found = Search & { own: JourneyOffer; offers: JourneyOffer[] };

const findOffer = ({ content, now }: JourneyService, team: Team, search: Search): Promise<Found | undefined> =>
  findInContent(content, team.team_id, (each) => offerIn({ ...search, content: each }, now()), search.content);

function offerIn(search: Search, now: number): Found | undefined {
  const { location, aggregate, content } = search;
  const offers = offersOf(pairsOf(aggregate, content), content.templates, location.channelId, now);
  const own = offers.find(({ journey, container }) => {
    return journey.journey.id === location.journeyId && container.id === location.containerId;
  });
  return own && { ...search, own, offers };
}

/** `undefined` if the journey was cancelled or has expired since it was read. */
async function withProgress(service: JourneyService, team: Team, found: Found): Promise<OfferedContent | undefined> {
  const { location, aggregate, content, offers } = found;
  const { own, template, language, shown, container, need } = inChannel(found, team);
  const offering = new Set(offers.map(({ journey }) => journey.journey.id));
  const journeys = aggregate.journeys.filter(({ journey }) => offering.has(journey.id));
  const accounts = shownAccountsOf(service, team.team_id, { ...aggregate, journeys }, content);
  const progress = await progressOf({ ...aggregate, journeys }, content, accounts, service.now());
  const texts = [shown.page.completion_message, ...container.content_blocks.map(({ data }) => data)];
  const isAsked = namesAccount(texts, shown.content_variables ?? {});
  const byJourney = new Map(progress.map((each) => [each.journey.id, each]));
  const of = ({ journey }: JourneyOffer): JourneyProgress => byJourney.get(journey.journey.id)!;
  const { journey, analytics } = of(own);
  const choice = { journey, page: shown.page, links: aggregate.links, accounts };
  const [account, answers, ended] = await Promise.all([
    isAsked ? placeholderAccount(service, team, choice) : undefined,
    answersIn(service, team, found, of(own)),
    recordShown(service.database, team.team_id, progress),
  ]);
  if (ended.includes(journey.id)) return undefined;
  const pageOf = (each: JourneyOffer) => inChannel({ ...found, own: each }, team).shown.page;
  const isListed = (each: JourneyOffer) =>
    each === own || (!ended.includes(each.journey.journey.id) && isShown(each, of(each).analytics));
  return {
    ...{ journey, template, language, analytics, shown, contact: aggregate.contact, container },
    ...{ account, identityNeed: need, answers },
    around: offers.filter(isListed).map((each) => {
      const target = { ...location, journeyId: each.journey.journey.id, containerId: each.container.id };
      const reference = contentReference(team.team_id, secretsOf(team), target);
      return { page: pageOf(each), reference, isShown: each === own };
    }),
  };
}

/** The latest answer to each block. If the content has another text than the one that was accepted, it has that one. */
async function answersIn(
  { database }: JourneyService,
  team: Team,
  { own, aggregate, acceptLanguage }: Found,
  { journey, answers }: JourneyProgress,
): Promise<Map<string, ShownAnswer>> {
  const given = [...latestAnswers(answers, own.page.id).values()];
  const accepted = given.filter(({ answer }) => answer === 'accepted');
  const responses = await loadResponsesTo(database, team.team_id, journey, accepted);
  const { template } = localized(own.journey.template, team, aggregate.contact, acceptLanguage);
  const languages = inAllLanguages(own.journey.template, team, template, undefined);
  const blocks = languages.flatMap((each) => partsIn(each, own).container.content_blocks);
  const shown = given.map((answer): ShownAnswer => {
    const response = responses.find(({ id }) => id === answer.id);
    if (!response || !isOfOtherText(blocks, response)) return answer;
    // A frame has no proof of identity.
    const { text } = shownAnswer(answer, response, false);
    return { ...answer, ...(text === undefined ? {} : { text }), isOfOtherText: true };
  });
  return new Map(shown.map((answer) => [answer.block_id, answer]));
}
