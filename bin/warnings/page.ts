import type { Shape } from '../../lib/domain/campaigns/shape.ts';
import type { Template } from '../../lib/domain/campaigns/template.ts';
import { identityNeed, identityNeedInChannel } from '../../lib/domain/journeys/identity-need.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { offersCompletion } from '../../lib/web/blocks/blocks.ts';
import { takesAnswers } from '../../lib/web/blocks/context.ts';
import { pageCall } from '../content/open-fields.ts';
import { blocksWarnings, withoutUrl } from './blocks.ts';
import { conditionWarnings } from './completion.ts';
import { type GivenPage, type GivenTemplate, warnIf } from './given.ts';
import { type Surface, shownWarnings } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { cssWarnings, styleWarnings } from './styles.ts';
import { emptyContentWarnings, emptyPageWarnings, firstOf, pagesInOrder } from './visibility.ts';

type GivenContainer = GivenPage['content_containers'][number];

type Around = { template: GivenTemplate; variables: JsonObject };

/** @param path of the page */
export function pageWarnings(page: GivenPage, around: Around, path: string): ErrorDetail[] {
  const { variables, template } = around;
  const { completion_condition: condition, content_blocks, content_containers, css, styles } = page;
  const showsIntroduction = template.content_blocks.length > 0 && firstOf(template.template_pages)?.page === page;
  return [
    ...conditionWarnings(page, path),
    ...(showsIntroduction ? [] : emptyPageWarnings(page, path)),
    ...textWarnings(page, path, variables),
    ...cssWarnings(css, `${path}/css`),
    ...styleWarnings(styles, `${path}/styles`),
    ...blocksWarnings(content_blocks, path, {
      ...{ condition, isUnproved: takesAnswers(condition) && !needsProof(page, around) },
      variables,
      surface: 'journey',
      isClosing: isClosing(page, template),
    }),
    ...content_containers.flatMap((each, index) =>
      containerWarnings(each, page, around, `${path}/content_containers/${index}`),
    ),
  ];
}

/** Whether the page can be answered only with a proof of identity. */
export function needsProof(page: GivenPage, { template, variables }: Around): boolean {
  const isFirst = firstOf(template.template_pages)?.page === page && template.content_block_status !== 'draft';
  const shown = { page, content_variables: variables };
  return identityNeed(template as unknown as Template, shown as never, isFirst) !== undefined;
}

/** True for the last of several pages. The answers to a survey without a condition are not needed there. */
const isClosing = (page: GivenPage, { template_pages }: GivenTemplate): boolean =>
  template_pages.length > 1 && pagesInOrder(template_pages).at(-1)?.page === page;

/** The page's titles, its own text, its message and its call to action. */
function textWarnings(page: GivenPage, path: string, variables: JsonObject): ErrorDetail[] {
  const { content, content_blocks, cta, completion_condition: condition } = page;
  const text: Shape = { is: 'text' };
  const shown = (field: keyof GivenPage, shape: Shape = text, surface: Surface = 'journey') =>
    shownWarnings(readingOf(page[field] as JsonValue, shape, `${path}/${field}`), surface, { variables });
  const [hasBlocks, hasButton] = [content_blocks.length > 0, offersCompletion(content_blocks)];
  // The button of the page, if it asks to confirm. Else a call to action without a URL is nothing.
  const { text: label = cta, url } = isJsonObject(cta) ? cta : ({} as JsonObject);
  const isUnlinked = typeof label === 'string' && !isFilled(url) && condition !== 'confirm';
  const unshown = 'is not shown, because the page has blocks in its place';
  return [
    ...shown('navigation_title', text, 'none'),
    ...shown('content_name', text, 'none'),
    ...warnIf(isFilled(content) && hasBlocks, `${path}/content`, unshown),
    ...warnIf(isFilled(cta) && hasButton, `${path}/cta`, unshown),
    ...(hasBlocks ? [] : shown('content', { is: 'text', marks: true })),
    ...shown('completion_message'),
    ...(hasButton || !isFilled(cta)
      ? []
      : [...shown('cta', pageCall), ...warnIf(isUnlinked, `${path}/cta`, withoutUrl(condition))]),
  ];
}

const isFilled = (value: JsonValue | undefined): boolean => value !== null && value !== undefined && value !== '';

function containerWarnings(container: GivenContainer, page: GivenPage, around: Around, path: string): ErrorDetail[] {
  const { template, variables } = around;
  const { engagement_channel_id: channel, content_blocks, css, styles } = container;
  const shown = { page, content_variables: variables };
  const need = identityNeedInChannel(template as unknown as Template, shown as never, container as never);
  const isAnswerable = need === undefined && channel !== null;
  const message = 'is not set, so no channel shows this content: write the `id` of an engagement channel';
  return [
    ...warnIf(channel === null, `${path}/engagement_channel_id`, message),
    ...cssWarnings(css, `${path}/css`),
    ...styleWarnings(styles, `${path}/styles`),
    ...emptyContentWarnings(container, path),
    ...blocksWarnings(content_blocks, path, {
      ...{ condition: page.completion_condition, variables },
      surface: template.is_auth_required ? 'channel withheld' : 'channel',
      ...{ isUnprovable: need !== undefined, isUnproved: isAnswerable && takesAnswers(page.completion_condition) },
    }),
  ];
}
