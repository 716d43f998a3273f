import { asks, blockKindOf, blockShapeOf, blockTypes } from '../../lib/domain/content/block-types.ts';
import type { JsonObject } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { takesAnswers } from '../../lib/web/blocks/context.ts';
import { listed, similarTo } from '../content/similar.ts';
import { consentWarnings, hasRequiredQuestion, imageWarnings, severalWarnings, unprovedWarnings } from './asks.ts';
import { callOfBlock } from './completion.ts';
import { type GivenBlock, type GivenPage, memberOf } from './given.ts';
import { type Surface, shownWarnings } from './placeholders.ts';
import { questionWarnings } from './questions.ts';
import { readingOfObject } from './shapes.ts';
import { cssWarnings, styleWarnings } from './styles.ts';

/** Where blocks are. */
type BlockPlace = {
  variables?: JsonObject;
  /** The condition of the page. `null` if there is no page or no condition. */
  condition: GivenPage['completion_condition'];
  surface: Surface;
  /** True if a proof of identity is needed that is not possible where the blocks are shown. */
  isUnprovable?: boolean;
  /** True if the blocks can be answered without a proof of identity. */
  isUnproved?: boolean;
  isIntroduction?: boolean;
  isClosing?: boolean;
};

/** Warnings for everything that a page does not show of the blocks. */
export function blocksWarnings(blocks: readonly GivenBlock[], path: string, place: BlockPlace): ErrorDetail[] {
  const at = `${path}/content_blocks`;
  return [
    ...severalWarnings(blocks, at, place.condition),
    ...blocks.flatMap((block, index) => blockWarnings(block, `${at}/${index}`, place)),
  ];
}

function blockWarnings(block: GivenBlock, path: string, place: BlockPlace): ErrorDetail[] {
  const at = `${path}/data`;
  return [
    ...typeWarnings(block, path, place),
    ...(place.isUnproved ? unprovedWarnings(block, path) : []),
    ...shownWarnings(
      readingOfObject((block.data ?? {}) as JsonObject, blockShapeOf(block.type), at),
      place.surface,
      place,
    ),
    ...missingWarnings(block, at, place),
    ...cssWarnings(block.css, `${path}/css`),
    ...styleWarnings(block.styles, `${path}/styles`),
  ];
}

function typeWarnings({ type, data }: GivenBlock, path: string, place: BlockPlace): ErrorDetail[] {
  const kind = blockKindOf(type);
  const at = `${path}/type`;
  if (kind === undefined) {
    const meant = similarTo(type ?? '', blockTypes);
    const types = meant === undefined ? `The types are ${listed(blockTypes)}` : `Did you mean \`${meant}\`?`;
    return [{ path: at, message: `is not a known type of block: a page shows only its heading and texts. ${types}` }];
  }
  return asks(type) ? askWarnings(kind === 'survey', hasRequiredQuestion(data), at, place) : [];
}

function askWarnings(
  isSurvey: boolean,
  hasRequired: boolean,
  path: string,
  { condition, surface, isUnprovable, isIntroduction, isClosing }: BlockPlace,
): ErrorDetail[] {
  if (isIntroduction) return [{ path, message: 'cannot be answered in the introduction: move it to a page' }];
  if (isUnprovable) {
    const message =
      'cannot be answered in a channel: the page needs a proof of identity, which is not possible there. Add a button with the `url` "{{journey_url}}"';
    return [{ path, message }];
  }
  if (condition === 'confirm' || condition === 'action') return [];
  if (isSurvey && condition === null && surface !== 'default content') {
    return isClosing && !hasRequired ? [] : [{ path, message: notKept }];
  }
  if (!takesAnswers(condition)) return [{ path, message: notAnswerable }];
  if (isSurvey && !hasRequired) return [];
  const message =
    'is asked, but viewing completes the page before it is answered: set the `completion_condition` to confirm';
  return [{ path, message }];
}

const notAnswerable =
  'cannot be answered here: set the `completion_condition` of the page to confirm, or move the block to such a page';

const notKept =
  'has answers that are not stored, because the page has no `completion_condition`: write `"completion_condition": "confirm"`';

/** Texts without which a block shows nothing, or asks for nothing. */
function missingWarnings(block: GivenBlock, path: string, { condition }: BlockPlace): ErrorDetail[] {
  const { data } = block;
  switch (blockKindOf(block.type)) {
    case 'image':
      return imageWarnings(data, path);
    case 'call':
      return callWarnings(block, path, condition);
    case 'agreement':
    case 'confirmation':
      return consentWarnings(block, path);
    case 'survey':
      return questionWarnings(memberOf(data, 'questions'), `${path}/questions`);
    default:
      return [];
  }
}

function callWarnings(block: GivenBlock, path: string, condition: string | null): ErrorDetail[] {
  const call = callOfBlock(block);
  if (!call || call.url !== undefined) return [];
  return [{ path, message: withoutUrl(condition) }];
}

/** What becomes of a call to action without a URL. */
export const withoutUrl = (condition: string | null): string =>
  condition === 'action'
    ? 'has no `url`: the button completes the page and opens nothing'
    : 'is not shown, because it has no `url`';
