import { isPublished } from '../../lib/domain/completion.ts';
import { isArchived } from '../../lib/domain/content/shown-template.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import type { GivenPage, GivenTemplate } from './given.ts';
import { pagesInOrder } from './variables.ts';

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
  return [
    ...settingWarnings(template, path),
    ...(whyClosed(template) === undefined
      ? [...noPageWarnings(template, path), ...noChannelWarnings(template, path)]
      : []),
  ];
}

/** Nobody reads a campaign in less. */
const shortestHours = 0.25;

function settingWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { journey_duration_hours: hours } = template;
  const warnings: [isTrue: boolean, field: string, message: string][] = [
    [
      hours !== null && hours <= 0,
      'journey_duration_hours',
      'ends every journey when it begins, so people see only that it has expired: write a number above 0, or null for no end',
    ],
    [
      hours !== null && hours > 0 && hours < shortestHours,
      'journey_duration_hours',
      `ends every journey after ${Math.ceil((hours ?? 0) * 60)} minutes: write hours, such as 720 for 30 days`,
    ],
  ];
  return warnings.flatMap(([isTrue, field, message]) => (isTrue ? [{ path: `${path}/${field}`, message }] : []));
}

function noPageWarnings({ template_pages }: GivenTemplate, path: string): ErrorDetail[] {
  const at = `${path}/template_pages`;
  if (template_pages.length === 0) {
    return [{ path: at, message: 'is empty: a journey of this campaign has nothing to show' }];
  }
  const reasons = template_pages.map(({ page }) => page && whyHidden(page));
  if (!reasons.every((reason) => typeof reason === 'string')) return [];
  const message = `has no page that is shown, so a journey of this campaign has nothing to show: ${[...new Set(reasons)].join('; ')}`;
  return [{ path: at, message }];
}

function noChannelWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const missing = missingForChannels(template);
  const own = template.template_pages.flatMap(({ page }, index) =>
    page?.content_containers.some(({ content_blocks }) => content_blocks.length > 0)
      ? [{ page, at: `${path}/template_pages/${index}/page` }]
      : [],
  );
  if (own.length === 0) return [];
  if (missing) {
    const { field, value } = missing;
    const hidden = `the \`content_containers\` of ${own.length === 1 ? 'a page' : `${own.length} pages`}`;
    return [{ path: `${path}/${field}`, message: `is not ${value}, so no channel shows ${hidden}: write ${value}` }];
  }
  return [
    ...own
      .filter(({ page }) => page.exclude_from_cce)
      .map(({ at }) => ({
        path: `${at}/exclude_from_cce`,
        message: 'is true, so no channel shows the `content_containers` of this page: delete one of them',
      })),
    ...coveredWarnings(template.template_pages, path),
  ];
}

/**
 * Content of pages after one that always has content for the same channel: a channel shows the first (contract,
 * section 8).
 */
function coveredWarnings(pages: GivenTemplate['template_pages'], path: string): ErrorDetail[] {
  const covering = new Map<string, { index: number; remedy: string }>();
  return pagesInOrder(pages).flatMap((each) => {
    const { page } = each;
    if (!page || page.exclude_from_cce) return [];
    const index = pages.indexOf(each);
    const never = page.completion_condition === null;
    const remedy = never
      ? 'give it a `completion_condition` and `"hide_when_complete": true`'
      : 'write `"hide_when_complete": true` into it';
    return page.content_containers.flatMap(({ engagement_channel_id: channel }, place) => {
      if (channel === null) return [];
      const first = covering.get(channel);
      if (first === undefined || first.index === index) {
        if (never || !page.hide_when_complete) covering.set(channel, { index, remedy });
        return [];
      }
      const message = `is never shown, because page ${first.index + 1} always shows its own content for this channel: ${first.remedy}, or delete one of the two`;
      return [{ path: `${path}/template_pages/${index}/page/content_containers/${place}`, message }];
    });
  });
}
