import { listed, shortened } from '../../lib/content/similar.ts';
import {
  asks,
  blockKindOf,
  blockShapeOf,
  blockTypeName,
  blockTypes,
  option,
  question,
} from '../../lib/domain/campaigns/block-types.ts';
import { namesOf } from '../../lib/domain/campaigns/shape.ts';
import { pathOfNamedFile } from '../../lib/domain/teams/team-file.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { similarTo } from '../../lib/domain/values/similar.ts';
import { takesAnswers } from '../../lib/web/blocks/context.ts';
import { isImageData } from '../../lib/web/links.ts';
import { callOfBlock } from './completion.ts';
import { type GivenBlock, type GivenPage, memberOf, textOf, warnIf, warning } from './given.ts';
import { type Surface, shownWarnings } from './placeholders.ts';
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
  const read = readingOfObject((block.data ?? {}) as JsonObject, blockShapeOf(block.type), at);
  return [
    ...warning(`${path}/type`, typeReason(block, place)),
    ...(place.isUnproved ? unprovedWarnings(block, path) : []),
    ...shownWarnings(read, place.surface, place),
    ...missingWarnings(block, at, place),
    ...cssWarnings(block.css, `${path}/css`),
    ...styleWarnings(block.styles, `${path}/styles`),
  ];
}

function typeReason({ type, data }: GivenBlock, place: BlockPlace): string | undefined {
  const kind = blockKindOf(type);
  if (kind === undefined) {
    const meant = similarTo(type ?? '', blockTypes);
    const types = meant === undefined ? `The types are ${listed(blockTypes)}` : `Did you mean \`${meant}\`?`;
    return `is not a known type of block: a page shows only its heading and texts. ${types}`;
  }
  // In a message, it leads to the page.
  return asks(type) && place.surface !== 'message'
    ? askReason(kind === 'survey', hasRequiredQuestion(data), place)
    : undefined;
}

/** Why a block that asks is not answered, or its answer is not kept. */
function askReason(isSurvey: boolean, hasRequired: boolean, place: BlockPlace): string | undefined {
  const { condition, surface, isUnprovable, isIntroduction, isClosing } = place;
  if (isIntroduction) return 'cannot be answered in the introduction: move it to a page';
  if (isUnprovable)
    return 'cannot be answered in a channel: the page needs a proof of identity, which is not possible there. Add a button with the `url` "{{journey_url}}"';
  if (condition === 'confirm' || condition === 'action') return undefined;
  if (isSurvey && condition === null && surface !== 'default content') {
    return isClosing && !hasRequired
      ? undefined
      : 'has answers that are not stored, because the page has no `completion_condition`: write `"completion_condition": "confirm"`';
  }
  if (!takesAnswers(condition))
    return 'cannot be answered here: set the `completion_condition` of the page to confirm, or move the block to such a page';
  return isSurvey && !hasRequired
    ? undefined
    : 'is asked, but viewing completes the page before it is answered: set the `completion_condition` to confirm';
}

/** Texts without which a block shows nothing, or asks for nothing. */
function missingWarnings(block: GivenBlock, path: string, { condition }: BlockPlace): ErrorDetail[] {
  const { data } = block;
  switch (blockKindOf(block.type)) {
    case 'image':
      return warning(path, imageReason(data));
    case 'call': {
      const call = callOfBlock(block);
      return warnIf(call !== undefined && call.url === undefined, path, withoutUrl(condition));
    }
    case 'agreement':
    case 'confirmation':
      return consentWarnings(block, path);
    case 'survey':
      return questionWarnings(memberOf(data, 'questions'), `${path}/questions`);
    default:
      return [];
  }
}

/** Why an image is missing or not described. */
function imageReason(data: GivenBlock['data']): string | undefined {
  const [file, source] = [memberOf(data, 'file_id'), textOf(data, ['src', 'url', 'data'])];
  if (source === undefined && (file ?? null) === null)
    return 'has no image: store it with `file put`, and write the id that the command prints into `file_id`';
  const isDescribed = ['altText', 'alt'].some((name) => typeof memberOf(data, name) === 'string');
  const isShown = pathOfNamedFile(file) !== undefined || (source !== undefined && isImageData(source));
  return isDescribed || !isShown
    ? undefined
    : 'has no `altText`: describe the image in it, or write "" if the image is a decoration';
}

/** What becomes of a call to action without a URL. */
export const withoutUrl = (condition: string | null): string =>
  condition === 'action'
    ? 'has no `url`: the button completes the page and opens nothing'
    : 'is not shown, because it has no `url`';

/** Several blocks of a page that the first of them completes. @param path of the blocks */
function severalWarnings(
  blocks: readonly GivenBlock[],
  path: string,
  condition: GivenPage['completion_condition'],
): ErrorDetail[] {
  const isLink = (block: GivenBlock) => condition === 'action' && blockKindOf(block.type) === 'call';
  const all = blocks.filter((block) => asks(block.type) || isLink(block));
  const completes = condition === 'confirm' || condition === 'action';
  return warnIf(
    completes && all.length > 1 && blocks.some(({ type }) => asks(type)),
    path,
    `has ${all.length} blocks that ask: ${all.map(titleOf).join(', ')}. The first answer completes the page, and the others can stay open. Put each on a page of its own`,
  );
}

/** Whether a survey has a question that must be answered. */
function hasRequiredQuestion(data: GivenBlock['data']): boolean {
  const questions: JsonValue | undefined = memberOf(data, 'questions');
  return Array.isArray(questions) && questions.some((each) => isJsonObject(each) && each.required === true);
}

/** How a warning names a block. */
function titleOf({ type, data }: GivenBlock): string {
  const title = textOf(data, ['heading', 'name', 'text', 'agreementText']);
  return title === undefined ? `\`${type}\`` : `\`${type}\` "${shortened(title, 41)}"`;
}

/**
 * A signature or agreement that anybody with the link can give, and any machine that opens it, because no proof of
 * identity is asked for.
 * @param path of the block
 */
function unprovedWarnings({ type }: GivenBlock, path: string): ErrorDetail[] {
  const [what, act] = blockTypeName(type) === 'signature' ? ['a signature', 'sign'] : ['an agreement', 'agree'];
  return warnIf(
    blockKindOf(type) === 'agreement',
    `${path}/type`,
    `asks for ${what}, but anybody with the link can ${act} in the name of the person: set \`is_auth_required\` of the template to true, or show a private value such as \`{{birthdate}}\` on the page`,
  );
}

/** What is missing in an agreement or a signature. @param path of its `data` */
const consentWarnings = ({ type, data }: GivenBlock, path: string): ErrorDetail[] => [
  ...warnIf(
    blockKindOf(type) === 'agreement' && !textOf(data, ['agreementText', 'body']),
    path,
    'has no `agreementText`: the page does not say what the person agrees to',
  ),
  ...warnIf(
    blockTypeName(type) === 'signature' && !textOf(data, ['signatureBoxText']),
    path,
    'has no `signatureBoxText`, so no name is asked: write the label of the field',
  ),
];

/** What people cannot answer, or not tell apart, in a survey. @param path of its questions */
export function questionWarnings(questions: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(questions) || questions.length === 0) {
    return [{ path, message: 'has no questions, so the survey asks nothing: write a list of them in [ ]' }];
  }
  return [
    ...textWarnings(questions, questionNames, path, 'question'),
    ...questions.flatMap((each, index) => {
      const options = isJsonObject(each) ? each.options : undefined;
      if (!isJsonObject(each) || !Array.isArray(options)) return [];
      const isOne = each.multiple !== true && asksForSeveral(each);
      const message = 'takes one answer only: write `"multiple": true` if several can apply';
      return [
        ...warnIf(isOne, `${path}/${index}`, message),
        ...textWarnings(options, optionNames, `${path}/${index}/options`, 'option'),
      ];
    }),
  ];
}

const asksForSeveral = (question: JsonObject): boolean =>
  /\b(?:all|any) (?:that|which) apply\b/i.test(textOf(question, questionNames) ?? '');

/** Questions or options that have no text, or that of another. */
function textWarnings(list: readonly JsonValue[], names: readonly string[], path: string, what: string): ErrorDetail[] {
  const texts = list.map((each) => {
    const text = isJsonObject(each) ? textOf(each, names) : each;
    return isFilledText(text) || typeof text === 'number' ? String(text).trim().toLowerCase() : '';
  });
  return texts.flatMap((text, index) => {
    const first = texts.indexOf(text);
    const message = text === '' ? 'has no text and is not shown' : `has the same text as ${what} ${first + 1}`;
    return warnIf(text === '' || first !== index, `${path}/${index}`, message);
  });
}

const questionNames = namesOf(question.fields, 'text');
const optionNames = namesOf(option.fields, 'text');
