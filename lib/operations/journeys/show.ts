import type { Analytics } from '../../domain/completion.ts';
import type { Contact } from '../../domain/contact.ts';
import type { ContentBlock } from '../../domain/content/block.ts';
import type { TemplatePage } from '../../domain/content/page.ts';
import type { Template } from '../../domain/content/template.ts';
import type { Attempts } from '../../domain/identity-attempts.ts';
import { type IdentityNeed, identityNeed, textsOf } from '../../domain/identity-need.ts';
import { isSlug, type Journey } from '../../domain/journey.ts';
import { type ClosedReason, closedReasonOf, pagesFor, publishedPages } from '../../domain/journey-page.ts';
import { accountFor, type LinkedAccount } from '../../domain/linked-account.ts';
import { namesAccount } from '../../domain/placeholders.ts';
import { notFound } from '../../domain/problem.ts';
import { languageFor, type Team } from '../../domain/team.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { Content } from '../../store/content.ts';
import type { Database } from '../../store/database.ts';
import type { JourneyKey } from '../../store/journey-items.ts';
import { type ContactAggregate, findSlug, loadContactAggregate } from '../../store/journeys.ts';
import { findInContent } from '../find-in-content.ts';
import type { ProgressDependencies } from './dependencies.ts';
import { accountsOf, type JourneyProgress, progressOf, recordShown } from './progress.ts';

/** Whose journey of which template it is. */
export type TeamJourneyKey = JourneyKey & { teamId: string };

/** A journey as its person sees it on one of its pages. */
export type OpenJourney = {
  closed: undefined;
  team: Team;
  /** Of the pages' own words: the template's, else the team's. */
  language: string | null;
  journey: Journey;
  template: Template;
  contact: Contact;
  analytics: Analytics;
  /** All that is there for people, in their order. */
  published: TemplatePage[];
  /** Of these, the ones to choose from now. */
  pages: TemplatePage[];
  shown: TemplatePage;
  /** The page that is shown, where it was asked for. */
  asked: TemplatePage | undefined;
  /** What the person must prove to be the contact for. */
  identityNeed: IdentityNeed | undefined;
  /** To prove to be the contact. */
  attempts: Attempts;
  progress: JourneyProgress;
  /** All blocks of the page, and which revision of the content they are from. */
  blocks: readonly ContentBlock[];
  revision: string | null;
  /** What `account.…` stands for on the page; read when it is asked for. */
  account(): Promise<LinkedAccount | undefined>;
};
/** Or why there is nothing to see. */
export type JourneyView = OpenJourney | ClosedJourney;
type ClosedJourney = { closed: ClosedReason } & Pick<OpenJourney, 'language' | 'team' | 'template'>;

/** Whose journey has this slug. @throws Problem `not_found` */
export async function journeyKeyOfSlug(database: Database, slug: string): Promise<TeamJourneyKey> {
  const place = isSlug(slug) ? await findSlug(database, slug) : undefined;
  if (!place) throw notFound();
  return place;
}

/**
 * What whoever holds the slug may be shown. Nothing of it has been shown yet: see {@link showJourney}.
 * @param pageId of the page that was asked for, else the first that is not completed
 * @throws Problem `not_found` when there is no such journey or page
 */
export async function openJourney(
  dependencies: ProgressDependencies,
  place: TeamJourneyKey,
  pageId?: string,
): Promise<JourneyView> {
  const { database, content } = dependencies;
  const file = await loadContactAggregate(database, place.teamId, place.contactId);
  if (!file) throw notFound();
  const own = { ...file, journeys: file.journeys.filter(({ journey }) => journey.template_id === place.templateId) };
  const view = await findInContent(content, place.teamId, (each) =>
    viewOf(dependencies, own, each, pageId?.toLowerCase()),
  );
  if (!view) throw notFound();
  return view;
}

/** Nothing where there is no such journey or page. */
async function viewOf(
  dependencies: ProgressDependencies,
  file: ContactAggregate,
  { team, ...content }: Content,
  pageId: string | undefined,
): Promise<JourneyView | undefined> {
  const now = dependencies.now();
  if (!team) return undefined;
  const accounts = accountsOf(dependencies, team.team_id, file.links);
  const [progress] = await progressOf(file, { team, ...content }, accounts, now);
  if (!progress) return undefined;
  const { journey, template, analytics } = progress;
  const language = languageFor(template, team);
  const closed = closedReasonOf(template, journey, now);
  if (closed) return { closed, language, team, template };
  const published = publishedPages(template);
  const { pages, shown } = pagesFor(published, analytics, pageId);
  if (published.length === 0) return { closed: 'unavailable', language, team, template };
  if (!shown) return undefined;
  const isFirst = shown === pages[0] && template.content_block_status !== 'draft';
  const isAsked = namesAccount(textsOf(template, shown, isFirst), shown.content_variables ?? {});
  return {
    ...{ closed: undefined, language, team, journey, template, contact: file.contact, attempts: file.attempts },
    ...{ analytics, published, pages, shown, progress, revision: content.revision },
    blocks: [...(isFirst ? template.content_blocks : []), ...shown.page.content_blocks],
    asked: pageId === undefined ? undefined : shown,
    identityNeed: identityNeed(template, shown, isFirst),
    account: async () =>
      isAsked ? accountFor(shown.page, await accounts(), team.features, timestamp(now)) : undefined,
  };
}

/** Records what the view tells of the progress, and reads what else its page tells. To be called before it is shown. */
export async function showJourney(
  { database }: Pick<ProgressDependencies, 'database'>,
  { team, progress, account }: OpenJourney,
): Promise<{ account: LinkedAccount | undefined }> {
  const [found] = await Promise.all([account(), recordShown(database, team.team_id, [progress])]);
  return { account: found };
}
