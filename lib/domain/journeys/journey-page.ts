import { asks } from '../campaigns/block-types.ts';
import type { ShownTemplatePage, TemplatePage } from '../campaigns/page.ts';
import { isArchived } from '../campaigns/shown-template.ts';
import type { Template } from '../campaigns/template.ts';
import { type Analytics, isPublished } from './completion.ts';
import type { GivenAnswer } from './given-answer.ts';
import { endedAt, type Journey, recordedEnding, type StateOfJourney } from './journey.ts';

/** Why a journey is not shown. */
export type ClosedReason = 'archived' | 'expired' | 'unavailable';

/**
 * When the journey expires, in milliseconds since the epoch; `undefined` if it lasts for ever. The duration of a reopened
 * journey counts from then on.
 */
export function expiresAt(
  { journey_duration_hours: hours }: Pick<Template, 'journey_duration_hours'>,
  { inserted_at, reopened_at = null }: Pick<Journey, 'inserted_at'> & Partial<Pick<Journey, 'reopened_at'>>,
): number | undefined {
  return hours === null ? undefined : Date.parse(reopened_at ?? inserted_at) + hours * 3_600_000;
}

/** True if the time for the journey has passed, whether or not this is recorded. @param now milliseconds since the epoch */
export function isOverdue(...[template, journey, now]: [...Parameters<typeof expiresAt>, number]): boolean {
  const expiry = expiresAt(template, journey);
  return expiry !== undefined && now >= expiry;
}

/** The state of the journey now: an expiry counts from its time on, also before it is recorded. */
export function stateAt(
  template: Parameters<typeof expiresAt>[0],
  journey: Journey,
  actions: Parameters<typeof recordedEnding>[1],
  now: number,
): StateOfJourney {
  return recordedEnding(journey, actions) ?? (isOverdue(template, journey, now) ? 'expired' : 'open');
}

/** Returns `undefined` if the journey is open. A cancelled one is closed as an expired one. @param now milliseconds since the epoch */
export function closedReasonOf(
  template: Pick<Template, 'is_archived' | 'status' | 'archived_at' | 'is_muted' | 'journey_duration_hours'>,
  journey: Pick<Journey, 'inserted_at' | 'cancelled_at' | 'expired_at' | 'reopened_at'>,
  now: number,
): ClosedReason | undefined {
  if (isArchived(template)) return 'archived';
  if (endedAt(journey) !== null || isOverdue(template, journey, now)) return 'expired';
  return template.is_muted || template.status === 'draft' ? 'unavailable' : undefined;
}

/** Pages that are published, live and not archived. A field that is `null` does not exclude a page. */
export const publishedPages = ({ template_pages }: Pick<Template, 'template_pages'>): TemplatePage[] =>
  template_pages.filter(({ page }) => isPublished(page));

/** Which page a request asks for, by its id: this one, or the one that follows it. */
export type AskedPage = { page?: string | undefined; after?: string | undefined };

/**
 * The page to show and the list of pages. Shows the requested page, else the first page that is not completed (or, if it
 * has no condition, not viewed), else the first page. After a page that needs nothing more, it is the first such page
 * behind it; `answered` is then the page before. A page that is hidden when complete stays in the list
 * while it is shown.
 */
export function pagesFor(
  published: readonly TemplatePage[],
  { pages_completed, pages_viewed }: Pick<Analytics, 'pages_completed' | 'pages_viewed'>,
  { page: requested, after }: AskedPage = {},
  answers: readonly Pick<GivenAnswer, 'page_id' | 'block_id'>[] = [],
): { pages: TemplatePage[]; shown: TemplatePage | undefined; answered: TemplatePage | undefined } {
  const isCompleted = ({ page }: TemplatePage) => pages_completed.includes(page.id);
  const isHidden = (each: TemplatePage) => each.page.hide_when_complete === true && isCompleted(each);
  const listed = published.filter((each) => !isHidden(each));
  const isPassed = (each: TemplatePage) =>
    isCompleted(each) || (each.page.completion_condition === null && pages_viewed.includes(each.page.id));
  const first =
    published.find((each) => !isPassed(each)) ??
    published.find((each) => !isCompleted(each)) ??
    listed[0] ??
    published[0];
  const named = published.findIndex(({ page }) => page.id === (requested ?? after));
  const answered = requested === undefined && named >= 0 && isDone(published[named]!) ? published[named] : undefined;
  const next = answered && (published.slice(named + 1).find((each) => !isPassed(each)) ?? first);
  const shown = next ?? (requested === undefined && named < 0 ? first : published[named]);
  return { pages: published.filter((each) => each === shown || listed.includes(each)), shown, answered };

  function isDone(each: TemplatePage): boolean {
    const isAnswered = (id: string) =>
      answers.some(({ page_id, block_id }) => page_id === each.page.id && block_id === id);
    const asked = each.page.content_blocks.filter(({ type }) => asks(type));
    return isCompleted(each) && asked.every(({ id }) => isAnswered(id));
  }
}

/** The pages as responses have them, without our additions. */
export const shownPagesOf = (pages: readonly TemplatePage[]): ShownTemplatePage[] =>
  pages.map(({ page, ...rest }) => ({
    ...rest,
    page: { ...page, content_containers: page.content_containers.map(({ show_until, ...shown }) => shown) },
  }));
