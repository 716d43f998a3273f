import { asks, blockKindOf, blockTypeName, option, question } from '../../lib/domain/content/block-types.ts';
import { namesOf } from '../../lib/domain/content/shape.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { shortened } from '../content/similar.ts';
import { type GivenBlock, type GivenPage, memberOf, textOf, warnIf } from './given.ts';

/** Several blocks of a page that the first of them completes. @param path of the blocks */
export function severalWarnings(
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
export function hasRequiredQuestion(data: GivenBlock['data']): boolean {
  const questions: JsonValue | undefined = memberOf(data, 'questions');
  return Array.isArray(questions) && questions.some((each) => isJsonObject(each) && each.required === true);
}

/** How a warning names a block. */
function titleOf({ type, data }: GivenBlock): string {
  const title = textOf(data, ['heading', 'name', 'text', 'agreementText']);
  return title === undefined ? `\`${type}\`` : `\`${type}\` "${shortened(title, 41)}"`;
}

/** A signature that anybody with the link can give, because no proof of identity is asked for. @param path of the block */
export const unprovedWarnings = ({ type }: GivenBlock, path: string): ErrorDetail[] =>
  warnIf(
    blockTypeName(type) === 'signature',
    `${path}/type`,
    'asks for a signature, but anybody with the link can sign in the name of the person: set `is_auth_required` of the template to true, or show a private value such as `{{birthdate}}` on the page',
  );

/** What is missing in an agreement or a signature. @param path of its `data` */
export const consentWarnings = ({ type, data }: GivenBlock, path: string): ErrorDetail[] => [
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
