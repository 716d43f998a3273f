import type { GivenDocument } from '../../domain/content/document.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { typeOf } from '../blocks/blocks.ts';
import { agreement, confirmation } from '../blocks/consent.ts';
import type { BlockType } from '../blocks/context.ts';
import { callToAction, documentLink } from '../blocks/links.ts';
import { survey } from '../blocks/survey.ts';
import { card, divider, heading, image, text } from '../blocks/texts.ts';

export type GivenBlock = GivenDocument['templates'][number]['content_blocks'][number];

const texts = ['heading', 'body', 'text', 'content'];
const documents = ['documentLinkText', 'documentLinkUrl'];
const answers = ['acceptedConfirmationText', 'declinedConfirmationText', 'disagreeText', 'signatureBoxText'];
const consent = ['heading', 'body', 'agreementText', ...answers, ...documents];
const labels = ['text', 'label', 'buttonText'];

/** The members of `data` that each type of block reads. */
const read = new Map<BlockType, readonly string[]>([
  ...[heading, text, card].map((type) => [type, texts] as const),
  [image, ['file_id', 'src', 'url', 'data', 'altText', 'alt', 'caption']],
  [callToAction, [...labels, 'heading', 'url', 'href', 'link']],
  [documentLink, ['heading', 'body', 'text', ...documents]],
  [agreement, consent],
  [confirmation, [...consent, ...labels]],
  [survey, ['heading', 'questions', 'text', 'buttonText', 'acceptedConfirmationText']],
  [divider, []],
]);

const ofEveryBlock = ['name', 'customClass', 'file_id'];
const ofQuestion = ['text', 'question', 'label', 'heading', 'options', 'choices', 'answers', 'scale', 'key', 'id'];

/**
 * Members of `data` that the type of the block does not read. An unknown type has a warning of its own. Objects are kept
 * for other systems, without a warning.
 */
export function dataWarnings({ type, data }: GivenBlock, path: string): ErrorDetail[] {
  const names = read.get(typeOf(type));
  if (!names || !data) return [];
  return [
    ...unread(data, [...names, ...ofEveryBlock], `${path}/data`, 'is not shown by this type of block'),
    ...(typeOf(type) === survey ? questionWarnings(data.questions, `${path}/data/questions`) : []),
  ];
}

function questionWarnings(questions: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(questions) || questions.length === 0) {
    return [{ path, message: 'must be a list of questions: the survey asks nothing' }];
  }
  return questions.flatMap((question, index) =>
    isJsonObject(question) ? unread(question, ofQuestion, `${path}/${index}`, 'is not read of a question') : [],
  );
}

const unread = (value: object, names: readonly string[], path: string, message: string): ErrorDetail[] =>
  Object.entries(value)
    .filter(([name, member]) => member !== null && !isJsonObject(member) && !names.includes(name))
    .map(([name]) => ({ path: path + pointer([name]), message }));
