import { listed } from '../../lib/content/similar.ts';
import { productTypes } from '../../lib/domain/accounts/account-fields.ts';
import { blockKinds } from '../../lib/domain/campaigns/block-types.ts';
import { noValues } from '../../lib/domain/journeys/placeholders.ts';
import { isFilledText, isJsonObject } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { similarTo } from '../../lib/domain/values/similar.ts';
import { offersCompletion, typeOf } from '../../lib/web/blocks/blocks.ts';
import { type Block, BlockData } from '../../lib/web/blocks/context.ts';
import { callToAction } from '../../lib/web/blocks/links.ts';
import { safeUrl } from '../../lib/web/links.ts';
import { sampleJourneyUrl, sampleUrl } from './addresses.ts';
import { type GivenBlock, type GivenPage, warnIf } from './given.ts';

/** For each completion condition that can be impossible: whether something can meet it, and why not. */
const conditions: Readonly<Record<string, { canBeMet(page: GivenPage): boolean; because: string }>> = {
  objective: {
    canBeMet: (page) => page.objective_id !== null,
    because: 'the page has no `objective_id`: write the id of an objective into it',
  },
  open: {
    canBeMet: (page) =>
      page.completion_product_ids.length + page.completion_standardized_types.length > 0 ||
      page.completion_product_id !== null ||
      page.completion_product_type !== null,
    because: 'the page names no product: write `completion_product_type`, for example',
  },
  confirm: {
    canBeMet: canBeDone,
    because: 'nothing on the page can be confirmed: add a block of the type confirm, or write action for a link',
  },
  action: {
    canBeMet: canBeDone,
    because: 'no button of the page has a text and a URL that leads away from the journey',
  },
};

/** A completion condition that nothing can meet, or a type of product that no account can have. */
export function conditionWarnings(page: GivenPage, path: string): ErrorDetail[] {
  const { completion_condition: name, completion_product_type: type } = page;
  const condition = conditions[name ?? ''];
  const types: readonly string[] = productTypes;
  const meant = similarTo(type ?? '', types);
  const hint = meant === undefined ? `write ${listed(types, 'or')}` : `did you mean \`${meant}\`?`;
  return [
    ...warnIf(
      condition !== undefined && !condition.canBeMet(page),
      `${path}/completion_condition`,
      `can never be met, because ${condition?.because}`,
    ),
    ...warnIf(
      name === 'open' && type !== null && !types.includes(type),
      `${path}/completion_product_type`,
      `is not a type of product, so no account completes the page: ${hint}`,
    ),
  ];
}

/** On the page itself, or in a channel that has content of it. */
function canBeDone(page: GivenPage): boolean {
  const { content_blocks, content_containers, completion_condition: condition } = page;
  const completes = (block: GivenBlock) => isCompleting(block, condition);
  const own = offersCompletion(content_blocks) ? content_blocks.some(completes) : hasOwnButton(page);
  return own || content_containers.some((container) => container.content_blocks.some(completes));
}

/** Whether the block completes a page of the condition. A call to action does not where it only leads to the journey. */
function isCompleting(block: GivenBlock, condition: GivenPage['completion_condition']): boolean {
  if (!offersCompletion([block])) return false;
  if (typeOf(block.type) !== callToAction) return true;
  const call = callOfBlock(block);
  const leadsHome = call?.url !== undefined && sampleUrl(call.url) === sampleJourneyUrl;
  return condition === 'action' && call !== undefined && !leadsHome;
}

/** A page without a completing block gets a button, unless its own call to action is a link and completes nothing. */
function hasOwnButton({ cta, completion_condition: condition }: GivenPage): boolean {
  const { text = '', url = '' } = isJsonObject(cta) ? cta : {};
  const isLink = isFilledText(text) && typeof url === 'string' && safeUrl(sampleUrl(url)) !== undefined;
  return condition === 'action' || !isLink;
}

/** The URL of a call to action, with its placeholders. `undefined` if it shows nothing, because it has no text. */
export function callOfBlock({ data }: Pick<Block, 'data'>): { url: string | undefined } | undefined {
  const read = new BlockData(data, noValues, blockKinds.call.fields);
  const isNamed = ['text', 'name'].some((name) => isFilledText(read.raw(name)));
  const url = read.raw('url');
  return isNamed ? { url: isFilledText(url) ? url : undefined } : undefined;
}
