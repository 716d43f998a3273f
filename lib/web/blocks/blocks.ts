import { asks, type BlockKind, blockKindOf, blockShapeOf } from '../../domain/campaigns/block-types.ts';
import { leftOut } from '../../domain/journeys/placeholders.ts';
import { confine } from '../css/confine.ts';
import { breakpoints, cssOfObject, type Size, sizes } from '../css/style-object.ts';
import { type Child, type Html, html } from '../html.ts';
import { agreement, confirmation, isConfirmed } from './consent.ts';
import {
  type Block,
  type BlockContext,
  BlockData,
  type BlockType,
  type CallPlace,
  canAct,
  type PageContext,
  refusedFieldsOf,
} from './context.ts';
import { callToAction, documentLink, isCompletingCall, isCompletingLink } from './links.ts';
import { survey } from './survey.ts';
import { card, divider, heading, image, text, unknown } from './texts.ts';

/** How each kind of block is shown. An unknown type shows its texts. */
const types: Readonly<Record<BlockKind, BlockType>> = {
  heading,
  text,
  card,
  image,
  divider,
  call: callToAction,
  document: documentLink,
  agreement,
  confirmation,
  survey,
};

/** Blocks that can complete a page, so that the page needs no other button. */
const completing: readonly BlockType[] = [callToAction, agreement, confirmation, survey];
export const offersCompletion = (blocks: readonly Pick<Block, 'type'>[]): boolean =>
  blocks.some(({ type }) => completing.includes(typeOf(type)));

export function typeOf(name: string | null): BlockType {
  const kind = blockKindOf(name);
  return kind ? types[kind] : unknown;
}

/**
 * True if a block of the page shows a form, whose button is then the primary one. The form that changes an answer is
 * closed, unless it was refused.
 */
export function hasOpenForm(blocks: readonly Pick<Block, 'id' | 'type'>[], page: PageContext | undefined): boolean {
  if (!canAct(page)) return false;
  const asking = blocks.filter(({ type }) => asks(type));
  return asking.some(({ id, type }) => {
    const given = page.answers.get(id);
    if (given) return given.answer !== 'accepted' && refusedFieldsOf(page, id) !== undefined;
    return typeOf(type) !== confirmation || !isConfirmed(page, asking.length > 1);
  });
}

export type RenderedBlocks = { html: Html /** Confined to the blocks. */; css: string };

/**
 * Blocks in order, on a grid of 12 columns. With the layout `none` they are below one another, with `table` also
 * separated by lines.
 * @param root selector of the element that contains the blocks
 * @param prefix prefix of the ids of the blocks, so that a page can have several lists
 */
export function renderBlocks(
  blocks: readonly Block[],
  context: BlockContext,
  { root, prefix, layout }: { root: string; prefix: string; layout: string | null },
): RenderedBlocks {
  const ordered = blocks.toSorted((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);
  const isGrid = layout !== 'none' && layout !== 'table';
  const isOneOfSeveral = blocks.filter(({ type }) => asks(type)).length > 1;
  const calls = callPlaces(ordered, context);
  const rendered = ordered.map((block, at) =>
    rendering(block, { ...context, isOneOfSeveral, calls: calls(block) }, { root, id: `${prefix}${at + 1}`, isGrid }),
  );
  return {
    html: html`<div class="${isGrid ? 'grid' : layout === 'table' ? 'stack rows' : 'stack'}">${rendered.map(({ html: each }) => each)}</div>`,
    css: (isGrid ? gridCss(ordered) : '') + rendered.map(({ css }) => css).join(''),
  };
}

const dataOf = ({ type, data }: Block, { values }: BlockContext): BlockData =>
  new BlockData(data, values, blockShapeOf(type).fields);

/** Gives a call to action its place among those of the list. */
function callPlaces(ordered: readonly Block[], context: BlockContext): (block: Block) => CallPlace {
  const shown = ordered.filter(
    (block) => typeOf(block.type) === callToAction && !isNothing(callToAction(dataOf(block, context), context)),
  );
  const links = shown.filter((block) => isCompletingLink(dataOf(block, context), context));
  const isOneOfSeveral = links.length > 1;
  const completing = shown.find((block) => isCompletingCall(dataOf(block, context), context));
  const hasPrimary = context.hasPrimary || hasOpenForm(ordered, context.page);
  // Before the proof of identity, which is then the primary button of the page, a call to action completes nothing.
  const isProofFirst = completing !== undefined && context.page?.proof !== undefined;
  const primary = isProofFirst ? undefined : hasPrimary ? completing : shown[0];
  return (block) => ({ isPrimary: block === primary, isLast: block === links.at(-1), isOneOfSeveral });
}

function rendering(
  block: Block,
  context: BlockContext,
  { root, id, isGrid }: { root: string; id: string; isGrid: boolean },
): { html: Child; css: string } {
  const content = typeOf(block.type)(dataOf(block, context), { ...context, blockId: block.id, elementId: id });
  if (isNothing(content)) return { html: undefined, css: '' };
  const isWithheld = context.withheld !== undefined && String(html`${content}`).includes(leftOut);
  const note = isWithheld && html`<p class="unseen">${leftOut} ${context.withheld}</p>`;
  const custom = classesOf(block.data?.customClass);
  const isHeading = typeOf(block.type) === heading;
  const spans = isGrid ? spansOf(block).map(({ size, columns }) => `${size}-${columns}`) : [];
  return {
    html: html`<div class="${['block', ...(isHeading ? ['heads'] : []), ...(isWithheld ? ['withheld'] : []), ...spans].join(' ')}" id="${id}">${
      custom === '' ? content : html`<div class="${custom}">${content}</div>`
    }${note}</div>`,
    css: confine([cssOfObject(block.styles), block.css ?? ''], `${root} #${id}`),
  };
}

const isNothing = (content: Child): boolean =>
  Array.isArray(content) ? content.every(isNothing) : content === undefined || content === null || content === false;

/** The classes of a block that the campaign's CSS can use. */
const classesOf = (value: string | null | undefined): string =>
  (value ?? '').split(/\s+/).filter(isClassName).join(' ');

export const isClassName = (name: string): boolean => /^(?:--|-?[a-z_])[\w-]*$/i.test(name);

type Span = { size: Size; columns: number };

/** The number of columns, 1 to 12, from each size upwards. 12 by default. */
function spansOf({ grid }: Block): Span[] {
  const said = sizes.flatMap((size) => {
    const columns = Number(grid?.[size] ?? Number.NaN);
    return Number.isInteger(columns) && columns >= 1 && columns <= 12 ? [{ size, columns }] : [];
  });
  return said.filter(({ columns }, at) => columns !== (said[at - 1]?.columns ?? 12));
}

/** The CSS rules of the used spans, smaller sizes first. */
function gridCss(blocks: readonly Block[]): string {
  const spans = blocks.flatMap(spansOf);
  const ofSizes = sizes
    .map((size) => {
      const columns = [...new Set(spans.filter((span) => span.size === size).map((span) => span.columns))];
      const rules = columns.map((each) => `.${size}-${each}{grid-column:span ${each}}`).join('');
      return rules === '' || breakpoints[size] === 0 ? rules : `@media (min-width:${breakpoints[size]}px){${rules}}`;
    })
    .join('');
  return ofSizes + narrowCss(spans);
}

/** Beside the steps, a tablet has less space than a phone. Columns would break words, so there are none. */
function narrowCss(spans: readonly Span[]): string {
  const wide = spans.filter(({ size }) => breakpoints[size] >= breakpoints.md);
  const selectors = [...new Set(wide.map(({ size, columns }) => `.block.${size}-${columns}`))].join(',');
  if (selectors === '') return '';
  return `@media (min-width:${breakpoints.md}px){@container (max-width:24rem){${selectors}{grid-column:1/-1}}}`;
}
