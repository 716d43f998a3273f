import { isArchived } from '../../lib/domain/campaigns/shown-template.ts';
import { isPublished } from '../../lib/domain/journeys/completion.ts';
import type { JsonObject } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { type GivenPage, type GivenTemplate, warnIf, warning } from './given.ts';

type TemplateState = Pick<
  GivenTemplate,
  'is_archived' | 'archived_at' | 'status' | 'is_muted' | 'is_cce_enabled' | 'journey_duration_hours'
>;
type PageState = Pick<GivenPage, 'is_archived' | 'is_live' | 'content_block_status' | 'exclude_from_cce'>;

/** Why the journeys of a template are not shown. `undefined` if they are. */
export function whyClosed(template: TemplateState): string | undefined {
  if (isArchived(template)) return 'the campaign is archived';
  if (template.status === 'draft') return 'the campaign is a draft (`status`)';
  return template.is_muted ? 'the campaign is muted (`is_muted`)' : undefined;
}

/** Why a page is not in the journeys of its template. `undefined` if it is. */
export function whyHidden(page: PageState): string | undefined {
  if (isPublished(page)) return undefined;
  if (page.is_archived) return 'the page is archived';
  return page.is_live === false
    ? 'the page is not live (`is_live` is false)'
    : 'the page is a draft (`content_block_status`)';
}

/** The field that must have a value before channels show anything of a campaign. `undefined` if they do. */
export function missingForChannels(template: TemplateState): { field: string; value: string } | undefined {
  if (template.status !== 'live') return { field: 'status', value: '"live"' };
  return template.is_cce_enabled ? undefined : { field: 'is_cce_enabled', value: 'true' };
}

/**
 * Settings of an open campaign that hide all of its pages, or all that it has for channels. A campaign that is archived,
 * a draft or muted is hidden on purpose, as is a single page.
 */
export function visibilityWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { template_pages: pages } = template;
  const isShownInChannels = ({ page }: (typeof pages)[number]) =>
    page?.content_containers.some(({ content_blocks }) => content_blocks.length > 0);
  const missing = pages.some(isShownInChannels) ? missingForChannels(template) : undefined;
  const ofOpen = [
    ...warning(`${path}/template_pages`, whyNothing(pages)),
    ...warnIf(
      missing !== undefined,
      `${path}/${missing?.field}`,
      `is not ${missing?.value}, so no channel shows the \`content_containers\` of its pages: write ${missing?.value}`,
    ),
  ];
  return [...hoursWarnings(template, path), ...(whyClosed(template) === undefined ? ofOpen : [])];
}

function whyNothing(pages: GivenTemplate['template_pages']): string | undefined {
  if (pages.length === 0) return 'is empty: a journey of this campaign has nothing to show';
  const isHidden = pages.every(({ page }) => page && whyHidden(page));
  return isHidden ? 'has no page that is shown, so a journey of this campaign has nothing to show' : undefined;
}

/** Fewer hours that are no whole days were probably meant as days. */
const fewHours = 96;

function hoursWarnings({ journey_duration_hours: hours }: GivenTemplate, path: string): ErrorDetail[] {
  const isShort = hours !== null && (hours <= 0 || (hours < fewHours && hours % 24 !== 0));
  const ends = (hours ?? 0) <= 0 ? 'when it begins' : `after ${hours} hours`;
  const message = `ends every journey ${ends}: write hours, such as 720 for 30 days, or null for no end`;
  return warnIf(isShort, `${path}/journey_duration_hours`, message);
}

/** Content of a channel that has no blocks. @param path of a container or of default content */
export const emptyContentWarnings = (
  content: { content_blocks: readonly unknown[] } | null,
  path: string,
): ErrorDetail[] =>
  warnIf(
    content?.content_blocks.length === 0,
    `${path}/content_blocks`,
    'is empty, so people see an empty frame: write blocks, or delete this content',
  );

/**
 * A page that shows only its title. With the condition `confirm` it has a button too, and a page with containers can be
 * for channels only. @param path of the page
 */
export function emptyPageWarnings(page: GivenPage, path: string): ErrorDetail[] {
  const { content_blocks, content_containers, content, cta, completion_condition: condition } = page;
  const isSet = (content ?? '') !== '' || (cta ?? '') !== '';
  const hasContent = content_blocks.length > 0 || content_containers.length > 0 || isSet;
  const isEmpty = !hasContent && condition !== 'confirm' && isPublished(page);
  return warnIf(isEmpty, `${path}/content_blocks`, 'is empty, so the page shows only its title: write blocks');
}

/** The variables of the texts that several pages show: the introduction, the footer, the ending and the title. */
export const variablesOf = ({ template_pages }: GivenTemplate): JsonObject =>
  Object.assign({}, ...template_pages.map((each) => each.content_variables ?? {}));

/** The pages of journeys in their order. A page that is given only by its id can be one. */
export const pagesInOrder = (pages: GivenTemplate['template_pages']): GivenTemplate['template_pages'] =>
  pages
    .filter(({ page }) => !page || isPublished(page))
    .toSorted((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);

/** The page that shows the introduction. */
export const firstOf = (pages: GivenTemplate['template_pages']): GivenTemplate['template_pages'][number] | undefined =>
  pagesInOrder(pages)[0];
