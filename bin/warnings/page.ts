import type { Shape } from '../../lib/domain/content/shape.ts';
import type { Template } from '../../lib/domain/content/template.ts';
import { identityNeed, identityNeedInChannel } from '../../lib/domain/identity-need.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { offersCompletion } from '../../lib/web/blocks/blocks.ts';
import { takesAnswers } from '../../lib/web/blocks/context.ts';
import { pageCall } from '../content/open-fields.ts';
import { blocksWarnings, withoutUrl } from './blocks.ts';
import { conditionWarnings, productTypeWarnings } from './completion.ts';
import type { GivenPage, GivenTemplate } from './given.ts';
import { shownWarnings } from './placeholders.ts';
import { readingOf } from './shapes.ts';
import { cssWarnings, styleWarnings } from './styles.ts';
import { emptyContentWarnings, emptyPageWarnings, firstOf, pagesInOrder } from './visibility.ts';

type GivenContainer = GivenPage['content_containers'][number];

type Around = { template: GivenTemplate; variables: JsonObject };

/** @param path of the page */
export function pageWarnings(page: GivenPage, around: Around, path: string): ErrorDetail[] {
  const { variables, template } = around;
  const { completion_condition: condition, content_blocks, content_containers, css, styles } = page;
  const shownTexts = { navigation_title: page.navigation_title, content_name: page.content_name };
  return [
    ...conditionWarnings(page, path),
    ...productTypeWarnings(page, path),
    ...(showsIntroduction(page, template) ? [] : emptyPageWarnings(page, path)),
    ...Object.entries(shownTexts).flatMap(([name, text]) =>
      shownWarnings(readingOf(text, { is: 'text' }, `${path}/${name}`), 'none'),
    ),
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
  return (
    identityNeed(template as unknown as Template, { page, content_variables: variables } as never, isFirst) !==
    undefined
  );
}

/** True for the last of several pages. The answers to a survey without a condition are not needed there. */
const isClosing = (page: GivenPage, { template_pages }: GivenTemplate): boolean =>
  template_pages.length > 1 && pagesInOrder(template_pages).at(-1)?.page === page;

const showsIntroduction = (page: GivenPage, { content_blocks, template_pages }: GivenTemplate): boolean =>
  content_blocks.length > 0 && firstOf(template_pages)?.page === page;

/** The page's own text, its message and its call to action. */
function textWarnings(page: GivenPage, path: string, variables: JsonObject): ErrorDetail[] {
  const { content, content_blocks, completion_message, cta } = page;
  const shown = (value: JsonValue | null, shape: Shape, field: string) =>
    shownWarnings(readingOf(value, shape, `${path}/${field}`), 'journey', { variables });
  const hasButton = offersCompletion(content_blocks);
  const unshown = [
    ...(isFilled(content) && content_blocks.length > 0 ? ['content'] : []),
    ...(isFilled(cta) && hasButton ? ['cta'] : []),
  ].map((field) => ({ path: `${path}/${field}`, message: 'is not shown, because the page has blocks in its place' }));
  return [
    ...unshown,
    ...(content_blocks.length > 0 ? [] : shown(content, { is: 'text' }, 'content')),
    ...shown(completion_message, { is: 'text' }, 'completion_message'),
    ...(hasButton || !isFilled(cta) ? [] : [...shown(cta, pageCall, 'cta'), ...callWithoutUrl(page, path)]),
  ];
}

/** A call to action without a URL: the button of the page if it asks to confirm, otherwise nothing. */
function callWithoutUrl({ cta, completion_condition: condition }: GivenPage, path: string): ErrorDetail[] {
  const { text = cta, url } = isJsonObject(cta) ? cta : ({} as JsonObject);
  if (typeof text !== 'string' || isFilled(url) || condition === 'confirm') return [];
  return [{ path: `${path}/cta`, message: withoutUrl(condition) }];
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
    ...(channel === null ? [{ path: `${path}/engagement_channel_id`, message }] : []),
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
