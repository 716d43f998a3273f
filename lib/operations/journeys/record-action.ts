import { type CompletionRule, completesOnPage, type PageAction } from '../../domain/completion.ts';
import { isSlug } from '../../domain/journey.ts';
import { notFound, validationFailed } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { ContentCatalogue } from '../../store/content.ts';
import { findSlug, type JourneyPlace, loadContactFile, recordAction } from '../../store/journeys.ts';
import type { ProgressDependencies } from './dependencies.ts';
import { pagesOf, progressOf } from './progress.ts';

/** Whose journey of which template it is. */
export type Place = JourneyPlace & { teamId: string };

/**
 * Records what somebody who holds the slug did on a page, once for each page and type; and that the journey is
 * completed, when the last page with a condition completes by it.
 * @throws Problem `not_found` when there is no such slug or page, `validation_failed` when the page completes by
 * something that does not happen on it.
 */
export async function recordPageAction(
  dependencies: ProgressDependencies & { now(): number },
  slug: string,
  action: PageAction,
): Promise<void> {
  const place = isSlug(slug) ? await findSlug(dependencies.database, slug) : undefined;
  if (!place) throw notFound();
  await recordActionAt(dependencies, place, action);
}

/** The same for a journey that is known. @throws Problem as above */
export async function recordActionAt(
  dependencies: ProgressDependencies & { now(): number },
  place: Place,
  { type, page_id }: PageAction,
): Promise<void> {
  const { database, content, now } = dependencies;
  const page = await pageOf(content, place, page_id);
  if (!page) throw notFound();
  if (type === 'page_completed' && !completesOnPage(page)) {
    throw validationFailed([{ path: '/page_id', message: 'is of a page that cannot be completed from here' }]);
  }
  const at = timestamp(now());
  const kind = type === 'page_viewed' ? 'viewed' : 'completed';
  await recordAction(database, place.teamId, place, { kind, page_id, at });
  if (kind === 'completed' || page.completion_condition === 'view') await finish(dependencies, place, page_id, at);
}

/** A page that was imported a moment ago is looked for in what is stored now. */
async function pageOf(
  content: ContentCatalogue,
  { teamId, templateId }: Place,
  pageId: string,
): Promise<CompletionRule | undefined> {
  for (const read of [() => content.load(teamId), () => content.current(teamId)]) {
    const template = (await read()).templates.find(({ id }) => id === templateId);
    const page = template && pagesOf(template).find(({ id }) => id === pageId);
    if (page) return page;
  }
  return undefined;
}

/** Two last pages that complete at one moment both see it here: each is stored before the file is read. */
async function finish(dependencies: ProgressDependencies, place: Place, pageId: string, at: string): Promise<void> {
  const { teamId, contactId, templateId } = place;
  const { content, database } = dependencies;
  const [file, current] = await Promise.all([loadContactFile(database, teamId, contactId), content.current(teamId)]);
  if (!file) return;
  const journeys = file.journeys.filter(({ journey }) => journey.template_id === templateId);
  const [progress] = await progressOf(dependencies, teamId, { ...file, journeys }, current);
  if (!progress?.analytics.is_completed || isFinished(progress.actions)) return;
  await recordAction(database, teamId, place, { kind: 'finished', page_id: pageId, at });
}

const isFinished = (actions: readonly { kind: string }[]): boolean => actions.some(({ kind }) => kind === 'finished');
