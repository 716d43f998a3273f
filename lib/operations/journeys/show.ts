import type { ContentBlock } from '../../domain/campaigns/block.ts';
import type { TemplatePage } from '../../domain/campaigns/page.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { inAllLanguages, localized } from '../../domain/campaigns/translate.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { FactsChange } from '../../domain/contacts/identity-facts.ts';
import {
  isOfOtherText,
  isPrivate,
  type KeptResponse,
  type ShownAnswer,
  shownAnswer,
} from '../../domain/journeys/answer.ts';
import type { Analytics } from '../../domain/journeys/completion.ts';
import { type GivenAnswer, latestAnswers } from '../../domain/journeys/given-answer.ts';
import type { Attempts } from '../../domain/journeys/identity-attempts.ts';
import { type IdentityNeed, identityNeed, type ProofUse, textsOf } from '../../domain/journeys/identity-need.ts';
import { isSlug, type Journey, slugWithin } from '../../domain/journeys/journey.ts';
import {
  type AskedPage,
  type ClosedReason,
  closedReasonOf,
  pagesFor,
  publishedPages,
} from '../../domain/journeys/journey-page.ts';
import type { LinkedAccount } from '../../domain/journeys/linked-account.ts';
import { namesAccount } from '../../domain/journeys/placeholders.ts';
import type { Team } from '../../domain/teams/team.ts';
import { notFound, Problem } from '../../domain/values/problem.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { type JourneyKey, keyOfJourney, nameOfJourney } from '../../store/journeys/journey-items.ts';
import { type ContactAggregate, findSlug, loadResponsesTo, loadShownAggregate } from '../../store/journeys/journeys.ts';
import type { Database } from '../../store/table/database.ts';
import { findInContent } from '../campaigns/find-template.ts';
import type { JourneyService, Service } from '../service.ts';
import { type JourneyProgress, placeholderAccount, progressOf, recordShown, shownAccountsOf } from './progress.ts';

/** A journey key with its team. */
export type TeamJourneyKey = JourneyKey & { teamId: string };

/** A journey as the contact sees it on one of its pages. */
export type OpenJourney = {
  closed: undefined;
  team: Team;
  /** Language of the page: of the translation that the person prefers, the template's, or the team's. */
  language: string | null;
  journey: Journey;
  template: Template;
  contact: Contact;
  analytics: Analytics;
  /** All published pages, in their order. */
  published: TemplatePage[];
  /** The published pages that the person can choose now. */
  pages: TemplatePage[];
  shown: TemplatePage;
  /** The shown page, if the request named it. */
  asked: TemplatePage | undefined;
  /** The page that the person has just answered, if another one follows it. */
  answered: AnsweredPage | undefined;
  /** What requires the person to prove to be the contact. */
  identityNeed: IdentityNeed | undefined;
  /** The attempts to prove to be the contact. */
  attempts: Attempts;
  /** The last change of what proves the identity. */
  factsChange: FactsChange | undefined;
  progress: JourneyProgress;
  /** The page in each language of the campaign. @param shownIn the language in which it was shown, which is first */
  inLanguages(shownIn: string | undefined): PageInLanguage[];
  content: Content;
  /** The account of `account.…` placeholders on the page. It is read only when this is called. */
  account(): Promise<LinkedAccount | undefined>;
};
/** A page with the latest answer that was given on it. */
export type AnsweredPage = TemplatePage & { answer: GivenAnswer | undefined };
/** What a page shows in one language: its template, the page, and all its blocks, and the proof that this requires. */
export type PageInLanguage = {
  template: Template;
  shown: TemplatePage;
  blocks: readonly ContentBlock[];
  need: IdentityNeed | undefined;
};

/** A journey that can be shown, or the reason why it cannot: also that it has no such page. */
export type JourneyView = OpenJourney | ClosedJourney;
type ClosedJourney = { closed: ClosedReason | 'no_page' } & Pick<
  OpenJourney,
  'language' | 'team' | 'template' | 'journey'
>;

/** The key of the journey with this slug. @throws Problem `not_found` */
export async function journeyKeyOfSlug(database: Database, slug: string): Promise<TeamJourneyKey> {
  const key = isSlug(slug) ? await findSlug(database, slug) : undefined;
  if (!key) throw notFound();
  return key;
}

/** The slug without what a mail program appended to the link. `undefined` if that is no slug of a journey. */
export async function forgivenSlug(database: Database, given: string): Promise<string | undefined> {
  const slug = slugWithin(given);
  return isSlug(slug) && (await findSlug(database, slug)) ? slug : undefined;
}

/**
 * Reads the journey as a person with the slug may see it. It records nothing; see {@link showJourney}.
 * @param asked the requested page; without it, the first page that is not completed
 * @param acceptLanguage of the browser, for templates in several languages
 * @throws Problem `not_found` if there is no such journey
 */
export async function openJourney(
  service: JourneyService,
  key: TeamJourneyKey,
  asked: AskedPage = {},
  acceptLanguage?: string,
): Promise<JourneyView> {
  const { database, content } = service;
  const [aggregate, recent] = await Promise.all([
    loadShownAggregate(database, key.teamId, key.contactId, key),
    content.load(key.teamId),
  ]);
  if (!aggregate) throw notFound();
  const journeys = aggregate.journeys.filter(
    ({ journey }) => nameOfJourney(keyOfJourney(journey)) === nameOfJourney(key),
  );
  const own = { ...aggregate, journeys };
  const lowerCased = { page: asked.page?.toLowerCase(), after: asked.after?.toLowerCase() };
  let withoutPage: JourneyView | undefined;
  const find = async (each: Content) => {
    const found = await viewOf(service, own, each, { asked: lowerCased, acceptLanguage });
    if (found?.closed !== 'no_page') return found;
    withoutPage = found;
    return undefined;
  };
  const view = await findInContent(content, key.teamId, find, recent);
  const shown = view ?? withoutPage;
  if (!shown) throw notFound();
  return shown;
}

/** `undefined` if there is no such journey. */
async function viewOf(
  service: JourneyService,
  aggregate: ContactAggregate,
  content: Content,
  { asked, acceptLanguage }: { asked: AskedPage; acceptLanguage: string | undefined },
): Promise<JourneyView | undefined> {
  const now = service.now();
  const { team } = content;
  if (!team) return undefined;
  const accounts = shownAccountsOf(service, team.team_id, aggregate, content);
  const [progress] = await progressOf(aggregate, content, accounts, now);
  if (!progress) return undefined;
  const { contact, attempts, factsChange } = aggregate;
  const { analytics } = progress;
  const { template, language, translate } = localized(progress.template, team, contact, acceptLanguage);
  const { name } = progress.journey;
  const journey = { ...progress.journey, name: name === null ? null : translate(name) };
  const closed = closedReasonOf(template, journey, now);
  if (closed) return { closed, language, team, template, journey };
  const published = publishedPages(template);
  const { pages, shown, answered } = pagesFor(published, analytics, asked, progress.answers);
  if (published.length === 0) return { closed: 'unavailable', language, team, template, journey };
  if (!shown) return { closed: 'no_page', language, team, template, journey };
  const isFirst = shown === pages[0] && template.content_block_status !== 'draft';
  const isAsked = namesAccount(textsOf(template, shown, isFirst), shown.content_variables ?? {});
  const inLanguage = (each: Template): PageInLanguage => {
    const own = each.template_pages.find(({ page }) => page.id === shown.page.id)!;
    return {
      ...{ template: each, shown: own },
      blocks: [...(isFirst ? each.content_blocks : []), ...own.page.content_blocks],
      need: identityNeed(each, own, isFirst),
    };
  };
  return {
    ...{ closed: undefined, language, team, journey, template, contact, attempts, factsChange },
    ...{ analytics, published, pages, shown, progress, content },
    answered: answered && { ...answered, answer: latestOn(progress.answers, answered.page.id) },
    inLanguages: (shownIn) => inAllLanguages(progress.template, team, template, shownIn).map(inLanguage),
    asked: asked.page === undefined ? undefined : shown,
    identityNeed: identityNeed(template, shown, isFirst),
    account: async () => {
      const choice = { journey, page: shown.page, links: aggregate.links, accounts };
      return isAsked ? placeholderAccount(service, team, choice) : undefined;
    },
  };
}

/**
 * Records the progress that the view shows, and reads the account and the answers that its page needs. Call it before
 * showing the view.
 * @param isProved true if the person has proved to be the contact
 * @param isEnding true for the ending, which shows the answers of all pages
 * @throws Problem `gone` if the journey was cancelled or has expired since it was read
 */
export async function showJourney(
  { database }: Service,
  view: OpenJourney,
  isProved = false,
  isEnding = false,
): Promise<{ account: LinkedAccount | undefined; answers: ShownAnswer[]; proofUse: ProofUse | undefined }> {
  const given = isEnding ? view.progress.answers.slice(-mostOnEnding) : givenOn(view);
  const [account, responses, ended] = await Promise.all([
    view.account(),
    loadResponsesTo(database, view.team.team_id, view.journey, given),
    recordShown(database, view.team.team_id, [view.progress]),
  ]);
  if (ended.length > 0) throw new Problem('gone');
  const byId = new Map(responses.map((response) => [response.id, response]));
  const blocks = view.inLanguages(undefined).flatMap((each) => each.blocks);
  return {
    account,
    answers: given.map((answer) => {
      const response = byId.get(answer.id);
      const shown = shownAnswer(answer, response, isProved);
      return response && isOfOtherText(blocks, response) ? { ...shown, isOfOtherText: true } : shown;
    }),
    proofUse: proofUseOf(view, responses),
  };
}

const mostOnEnding = 100;

/** What a proof of identity shows on the page. Undefined if the page shows the same without one. */
export const proofUse = async (database: Database, view: OpenJourney): Promise<ProofUse | undefined> =>
  view.identityNeed ??
  proofUseOf(view, await loadResponsesTo(database, view.team.team_id, view.journey, givenOn(view)));

const proofUseOf = ({ identityNeed: need }: OpenJourney, responses: readonly KeptResponse[]): ProofUse | undefined =>
  need ?? (responses.some(isPrivate) ? 'answers' : undefined);

const latestOn = (answers: readonly GivenAnswer[], pageId: string): GivenAnswer | undefined =>
  answers
    .filter(({ page_id }) => page_id === pageId)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .at(-1);

const givenOn = ({ progress, shown }: OpenJourney) => [...latestAnswers(progress.answers, shown.page.id).values()];
