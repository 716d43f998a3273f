import { type Analytics, isPublished } from './completion.ts';
import type { TemplatePage } from './content/page.ts';
import { isArchived } from './content/shown-template.ts';
import type { Template } from './content/template.ts';
import type { Journey } from './journey.ts';

/** Why a journey is not shown. */
export type ClosedReason = 'archived' | 'expired' | 'unavailable';

/** Returns `undefined` if the journey is open. @param now milliseconds since the epoch */
export function closedReasonOf(
  template: Pick<Template, 'is_archived' | 'status' | 'archived_at' | 'is_muted' | 'journey_duration_hours'>,
  { inserted_at }: Pick<Journey, 'inserted_at'>,
  now: number,
): ClosedReason | undefined {
  if (isArchived(template)) return 'archived';
  const { journey_duration_hours: hours } = template;
  if (hours !== null && now >= Date.parse(inserted_at) + hours * 3_600_000) return 'expired';
  return template.is_muted || template.status === 'draft' ? 'unavailable' : undefined;
}

/** Pages that are published, live and not archived. A field that is `null` does not exclude a page. */
export const publishedPages = ({ template_pages }: Pick<Template, 'template_pages'>): TemplatePage[] =>
  template_pages.filter(({ page }) => isPublished(page));

/**
 * The page to show and the list of pages. Shows the requested page, else the first page that is not completed (or, if it
 * has no condition, not viewed), else the first page. A page that is hidden when complete stays in the list while it is
 * shown.
 */
export function pagesFor(
  published: readonly TemplatePage[],
  { pages_completed, pages_viewed }: Pick<Analytics, 'pages_completed' | 'pages_viewed'>,
  requested: string | undefined,
): { pages: TemplatePage[]; shown: TemplatePage | undefined } {
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
  const shown = requested === undefined ? first : published.find(({ page }) => page.id === requested);
  return { pages: published.filter((each) => each === shown || listed.includes(each)), shown };
}
