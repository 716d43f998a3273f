import type { Analytics } from '../../domain/completion.ts';
import type { Contact } from '../../domain/contact.ts';
import type { TemplatePage } from '../../domain/content/page.ts';
import type { Template } from '../../domain/content/template.ts';
import { type IdentityNeed, identityNeed } from '../../domain/identity-need.ts';
import { isSlug, type Journey } from '../../domain/journey.ts';
import { type Closure, closureOf, pagesFor, publishedPages } from '../../domain/journey-page.ts';
import { notFound } from '../../domain/problem.ts';
import type { Team } from '../../domain/team.ts';
import { findSlug, loadContactFile } from '../../store/journeys.ts';
import type { ProgressDependencies } from './dependencies.ts';
import { contentFor, progressOf } from './progress.ts';

/** A journey as its person sees it on one of its pages. */
export type OpenJourney = {
  closed: undefined;
  team: Team;
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
};
/** Or why there is nothing to see. */
export type JourneyView = OpenJourney | { closed: Closure };

/**
 * What whoever holds the slug is shown.
 * @param pageId of the page that was asked for, else the first that is not completed
 * @throws Problem `not_found` when there is no such journey or page
 */
export async function showJourney(
  dependencies: ProgressDependencies & { now(): number },
  slug: string,
  pageId?: string,
): Promise<JourneyView> {
  const { database, content, now } = dependencies;
  const place = isSlug(slug) ? await findSlug(database, slug) : undefined;
  const file = place && (await loadContactFile(database, place.teamId, place.contactId));
  if (!place || !file) throw notFound();
  const journeys = file.journeys.filter(({ journey }) => journey.template_id === place.templateId);
  const own = { ...file, journeys };
  const current = await contentFor(content, place.teamId, own);
  const [progress] = await progressOf(dependencies, place.teamId, own, current);
  const { team } = current;
  if (!progress || !team) throw notFound();
  const { journey, template, analytics } = progress;
  const closed = closureOf(template, journey, now());
  if (closed) return { closed };
  const published = publishedPages(template);
  const { pages, shown } = pagesFor(published, analytics, pageId?.toLowerCase());
  if (published.length === 0) return { closed: 'unavailable' };
  if (!shown) throw notFound();
  const isFirst = shown === pages[0] && template.content_block_status !== 'draft';
  const need = identityNeed(template, shown, isFirst);
  const around = { closed: undefined, team, journey, template, contact: file.contact, analytics };
  const asked = pageId === undefined ? undefined : shown;
  return { ...around, published, pages, shown, asked, identityNeed: need };
}
