import { blockKindOf, blockShapeOf, blockTypeName, blockTypes } from '../../domain/content/block-types.ts';
import { listed, similarTo } from '../../domain/content/similar.ts';
import type { JsonObject } from '../../domain/json.ts';
import { textsIn } from '../../domain/placeholders.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { asks } from '../blocks/blocks.ts';
import { takesAnswers } from '../blocks/context.ts';
import { sizes } from '../css/style-object.ts';
import { callOfBlock } from './calls.ts';
import { scopeOfBlocks } from './classes.ts';
import { consentWarnings, unprovedWarnings } from './consents.ts';
import { customClassWarnings, unusedClassWarnings } from './custom-classes.ts';
import { emptyBlockWarnings } from './empty.ts';
import type { GivenBlock, GivenPage, GivenTemplate } from './given.ts';
import { imageWarnings } from './images.ts';
import { memberOf, textOf } from './members.ts';
import { orderWarnings } from './order.ts';
import { noted, type Part, partOf } from './parts.ts';
import type { SharedVariables, Surface } from './placeholders.ts';
import { questionWarnings } from './questions.ts';
import { requiredQuestions, severalWarnings } from './several.ts';
import { readingOfObject } from './shapes.ts';
import { cssWarnings, styleWarnings } from './styles.ts';
import { termWarnings } from './terms.ts';

/** Where blocks are. */
export type BlockPlace = Partial<SharedVariables> & {
  /** The condition of the page. `null` if there is no page or no condition. */
  condition: GivenPage['completion_condition'];
  surface: Surface;
  template?: GivenTemplate;
  /** The classes that CSS has rules for. Not set if not all CSS is known. */
  usedClasses?: ReadonlySet<string> | undefined;
  /** True if a proof of identity is needed that is not possible where the blocks are shown. */
  isUnprovable?: boolean;
  /** True if the blocks can be answered without a proof of identity. */
  isUnproved?: boolean;
  isIntroduction?: boolean;
  /** True on the last of several pages. A survey without a condition is meant there as one whose answers are not needed. */
  isClosing?: boolean;
};

/** What a page reads of the blocks, and warnings for everything that it does not show. */
export function partsOfBlocks(blocks: readonly GivenBlock[], path: string, place: BlockPlace): Part[] {
  const at = `${path}/content_blocks`;
  return [
    noted([...severalWarnings(blocks, at, place.condition, place.variables ?? {}), ...orderWarnings(blocks, at)]),
    ...blocks.flatMap((block, index) => partsOfBlock(block, `${at}/${index}`, place)),
  ];
}

function partsOfBlock(block: GivenBlock, path: string, place: BlockPlace): Part[] {
  const at = `${path}/data`;
  const scope = { ...scopeOfBlocks([block], place.template)!, ids: { b: 0, t: 0 } };
  const reading = readingOfObject((block.data ?? {}) as JsonObject, blockShapeOf(block.type), at);
  return [
    noted([...typeWarnings(block, path, place), ...(place.isUnproved ? unprovedWarnings(block, path) : [])]),
    partOf(reading, place.surface, place),
    noted([
      // A field that is not read is the cause.
      ...(reading.warnings.length === 0 ? emptyBlockWarnings(block, at, place.condition) : []),
      ...customClassWarnings(block, path),
      ...missingWarnings(block, at, place),
      ...gridWarnings(block, path),
      ...termWarnings(block, at),
      ...(place.usedClasses ? unusedClassWarnings(block, path, place.usedClasses) : []),
      ...cssWarnings(block.css, `${path}/css`, scope),
      ...styleWarnings(block.styles, `${path}/styles`, scope),
    ]),
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
  return asks({ type }) ? askWarnings(kind === 'survey', requiredQuestions(data).length > 0, at, place) : [];
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
  if (!takesAnswers(condition)) {
    return [{ path, message: `cannot be answered here: ${otherCondition(condition)}` }];
  }
  if (isSurvey) {
    const message =
      'has required questions, but viewing completes the page before they are answered: set the `completion_condition` to confirm';
    return hasRequired ? [{ path, message }] : [];
  }
  return [
    {
      path,
      message:
        'is asked, but viewing completes the page before it is answered: set the `completion_condition` to confirm',
    },
  ];
}

/** The condition of a page that is completed elsewhere is meant. */
const otherCondition = (condition: string | null): string =>
  condition === null
    ? 'set the `completion_condition` of the page to confirm'
    : `the page is completed by its ${condition === 'open' ? 'product' : 'objective'}. Delete the block, or move it to a page of its own with the \`completion_condition\` confirm`;

const notKept =
  'has answers that are not stored, because the page has no `completion_condition`: write `"completion_condition": "confirm"`';

/** Texts without which a block shows nothing, or asks for nothing. */
function missingWarnings(block: GivenBlock, path: string, { condition, template }: BlockPlace): ErrorDetail[] {
  const { data } = block;
  switch (blockKindOf(block.type)) {
    case 'image':
      return imageWarnings(data, path);
    case 'call':
      return callWarnings(block, path, condition);
    case 'document':
      return blockTypeName(block.type) === 'direct_deposit' ? [] : documentWarnings(data, path);
    case 'agreement':
    case 'confirmation':
      return consentWarnings(block, path, template?.language ?? null);
    case 'survey':
      return questionWarnings(memberOf(data, 'questions'), `${path}/questions`);
    default:
      return [];
  }
}

/** A link without a text, or a text without a URL, has a warning of its own. */
function documentWarnings(data: GivenBlock['data'], path: string): ErrorDetail[] {
  const hasPart = ['documentLinkText', 'documentLinkUrl'].some((name) => (memberOf(data, name) ?? '') !== '');
  const isOther = Object.entries(data ?? {}).some(
    ([name, value]) => value !== null && !['heading', 'body', 'text', 'customClass', 'name'].includes(name),
  );
  if (hasPart || isOther || textOf(data, ['heading', 'body', 'text']) === undefined) return [];
  return [
    {
      path,
      message: 'has no link: write `documentLinkText` and `documentLinkUrl`, or make it a block of the type text',
    },
  ];
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

function gridWarnings(block: GivenBlock, path: string): ErrorDetail[] {
  const { grid } = block;
  const isNarrow = (size: (typeof sizes)[number]) => size !== 'xs' && [1, 2].includes(Number(grid?.[size] ?? 12));
  const firstNarrow = hasLongText(block) ? sizes.find(isNarrow) : undefined;
  return sizes.flatMap((size) => {
    const said = grid?.[size] ?? null;
    const columns = Number(said);
    const isUsed = said === null || (Number.isInteger(columns) && columns >= 1 && columns <= 12);
    const at = `${path}/grid/${size}`;
    if (!isUsed) return [{ path: at, message: 'is not used: write a whole number of columns from 1 to 12' }];
    if (size === firstNarrow) return [{ path: at, message: narrowColumns }];
    return size === 'xs' && said !== null && columns < 6 && hasLongText(block) ? [{ path: at, message: narrow }] : [];
  });
}

const narrow =
  'is less than half the width of a phone, which is too narrow for a text: write 12, and this number into `md`';

const narrowColumns =
  'is too narrow for a text, which gets about one word per line: write at least 3 of the 12 columns';

/** A number or a word can be shown in a narrow column. */
function hasLongText({ type, data }: GivenBlock): boolean {
  const kind = blockKindOf(type);
  const hasText = kind !== undefined && kind !== 'image' && kind !== 'divider' && kind !== 'call';
  return hasText && textsIn({ ...data, customClass: null, name: null }).join('').length > 30;
}
