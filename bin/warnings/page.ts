import type { Template } from '../../lib/domain/content/template.ts';
import { identityNeed, identityNeedInChannel } from '../../lib/domain/identity-need.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { offersCompletion } from '../../lib/web/blocks/blocks.ts';
import { takesAnswers } from '../../lib/web/blocks/context.ts';
import { pageCall } from '../content/open-fields.ts';
import { partsOfBlocks, withoutUrl } from './blocks.ts';
import { conditionWarnings, productTypeWarnings } from './completion.ts';
import { emptyContentWarnings, emptyPageWarnings } from './empty.ts';
import type { GivenPage, GivenTemplate } from './given.ts';
import { lost, noted, type Part, partOf } from './parts.ts';
import { readingOf } from './shapes.ts';
import { cssWarnings, styleWarnings } from './styles.ts';
import { firstOf, pagesInOrder } from './variables.ts';

type GivenContainer = GivenPage['content_containers'][number];

/** @property isPartial whether a field of the template with blocks is not known */
type Around = { template: GivenTemplate; variables: JsonObject; isPartial: boolean };

/** @param path of the page */
export function partsOfPage(page: GivenPage, around: Around, path: string): Part[] {
  const { variables, template } = around;
  const { completion_condition: condition, content_blocks, content_containers, css, styles } = page;
  const shownTexts = { navigation_title: page.navigation_title, content_name: page.content_name };
  return [
    noted(around.isPartial ? [] : conditionWarnings(page, path, variables)),
    lost(withoutEffect(page, path)),
    noted(productTypeWarnings(page, path)),
    noted(around.isPartial || showsIntroduction(page, template) ? [] : emptyPageWarnings(page, path)),
    ...Object.entries(shownTexts).map(([name, text]) =>
      partOf(readingOf(text, { is: 'text' }, `${path}/${name}`), 'none'),
    ),
    ...partsOfTexts(page, path, variables),
    noted([...cssWarnings(css, `${path}/css`), ...styleWarnings(styles, `${path}/styles`)]),
    ...partsOfBlocks(content_blocks, path, {
      ...{ condition, isUnproved: takesAnswers(condition) && !needsProof(page, around) },
      variables,
      surface: 'journey',
      isClosing: isClosing(page, template),
    }),
    lost(repeatedContainers(page, path)),
    ...content_containers.flatMap((each, index) =>
      partsOfContainer(each, page, around, `${path}/content_containers/${index}`),
    ),
  ];
}

/** Whether the page can be answered only with a proof of identity. */
function needsProof(page: GivenPage, { template, variables }: Around): boolean {
  const isFirst = firstOf(template.template_pages)?.page === page && template.content_block_status !== 'draft';
  return (
    identityNeed(template as unknown as Template, { page, content_variables: variables } as never, isFirst) !==
    undefined
  );
}

/** Whether the page is the last of several. */
function isClosing(page: GivenPage, { template_pages }: GivenTemplate): boolean {
  const pages = pagesInOrder(template_pages);
  return pages.length > 1 && pages.at(-1)?.page === page;
}

const showsIntroduction = (page: GivenPage, { content_blocks, template_pages }: GivenTemplate): boolean =>
  content_blocks.length > 0 && firstOf(template_pages)?.page === page;

/** Fields that another field of the page makes useless. */
function withoutEffect(page: GivenPage, path: string): ErrorDetail[] {
  const { completion_condition: condition, objective_id, completion_message, hide_when_complete } = page;
  const never = 'the page has no `completion_condition`, so it is never completed';
  return [
    ...(objective_id !== null && condition !== 'objective'
      ? [
          {
            path: `${path}/objective_id`,
            message: `has no effect, because the \`completion_condition\` is ${condition ?? 'not set'}, not objective`,
          },
        ]
      : []),
    ...(['completion_product_id', 'completion_product_type'] as const).flatMap((field) =>
      page[field] !== null && condition !== 'open'
        ? [
            {
              path: `${path}/${field}`,
              message: `has no effect, because the \`completion_condition\` is ${condition ?? 'not set'}, not open`,
            },
          ]
        : [],
    ),
    ...(completion_message && condition === null
      ? [{ path: `${path}/completion_message`, message: `is not shown: ${never}` }]
      : []),
    ...(hide_when_complete && condition === null
      ? [{ path: `${path}/hide_when_complete`, message: `has no effect: ${never}` }]
      : []),
  ];
}

/** A channel shows the first container that a page has for it. */
function repeatedContainers({ content_containers }: GivenPage, path: string): ErrorDetail[] {
  const channels = content_containers.map(({ engagement_channel_id }) => engagement_channel_id);
  return channels.flatMap((channel, index) => {
    const first = channels.indexOf(channel);
    if (channel === null || first === index) return [];
    const message = `is never shown: container ${first + 1} of the page has the same channel`;
    return [{ path: `${path}/content_containers/${index}`, message }];
  });
}

/** The page's own text, its message and its call to action. */
function partsOfTexts(page: GivenPage, path: string, variables: JsonObject): Part[] {
  const { content, content_blocks, completion_message, cta } = page;
  const hasBlocks = content_blocks.length > 0;
  return [
    isFilled(content) && hasBlocks
      ? lost([
          {
            path: `${path}/content`,
            message: 'is not shown, because the page has blocks: write it into a block of the type text',
          },
        ])
      : partOf(readingOf(content, { is: 'text' }, `${path}/content`), 'journey', { variables }),
    partOf(readingOf(completion_message, { is: 'text' }, `${path}/completion_message`), 'journey', { variables }),
    isFilled(cta) && offersCompletion(content_blocks)
      ? lost([
          {
            path: `${path}/cta`,
            message: 'is not shown, because a block of the page has a button already: delete the `cta` or the block',
          },
        ])
      : partOf(readingOf(cta, pageCall, `${path}/cta`), 'journey', { variables }),
    ...(isFilled(cta) && !offersCompletion(content_blocks) ? [callWithoutUrl(page, path)] : []),
  ];
}

/** A call to action without a URL: the button of the page if it asks to confirm, otherwise nothing. */
function callWithoutUrl({ cta, completion_condition: condition }: GivenPage, path: string): Part {
  const { text = cta, url } = isJsonObject(cta) ? cta : ({} as JsonObject);
  if (typeof text !== 'string' || isFilled(url) || condition === 'confirm') return noted([]);
  const warnings = [{ path: `${path}/cta`, message: withoutUrl(condition) }];
  return condition === 'action' ? noted(warnings) : lost(warnings);
}

const isFilled = (value: JsonValue | undefined): boolean => value !== null && value !== undefined && value !== '';

function partsOfContainer(container: GivenContainer, page: GivenPage, around: Around, path: string): Part[] {
  const { template, variables } = around;
  const { engagement_channel_id: channel, content_blocks, css, styles } = container;
  const shown = { page, content_variables: variables };
  const need = identityNeedInChannel(template as unknown as Template, shown as never, container as never);
  const isAnswerable = need === undefined && channel !== null;
  return [
    ...(channel === null
      ? [
          noted([
            {
              path: `${path}/engagement_channel_id`,
              message: 'is not set, so no channel shows this content: write the `id` of an engagement channel',
            },
          ]),
        ]
      : []),
    noted([...cssWarnings(css, `${path}/css`), ...styleWarnings(styles, `${path}/styles`)]),
    noted(around.isPartial ? [] : emptyContentWarnings(container, path)),
    ...partsOfBlocks(content_blocks, path, {
      ...{ condition: page.completion_condition, variables },
      surface: template.is_auth_required ? 'channel withheld' : 'channel',
      ...{ isUnprovable: need !== undefined, isUnproved: isAnswerable && takesAnswers(page.completion_condition) },
    }),
  ];
}
