import * as z from 'zod';
import type { ContentBlock } from '../campaigns/block.ts';
import { type BlockKind, blockKindOf } from '../campaigns/block-types.ts';
import { pagedList } from '../values/cursor.ts';
import { isBlank, text } from '../values/fields.ts';
import { isFilledText, type JsonObject } from '../values/json.ts';
import type { ErrorDetail } from '../values/problem.ts';
import { uuid } from '../values/uuid.ts';
import type { PageActionType } from './completion.ts';
import { unmarked } from './markup.ts';
import { fill, fillUrl, namesPrivateData, placeholder, type Values } from './placeholders.ts';
import { questionOfField, questionText, surveyAnswers } from './survey.ts';

/** Answers of people on pages: agreements, signatures and surveys (contract, sections 6 and 10). */
export const decisions = ['accepted', 'declined'] as const;
export type Decision = (typeof decisions)[number];

/** Pages of the list of responses (contract, section 6). */
export const responseListLimits = { default: 100, maximum: 100 } as const;
/** A position is the sort key of a response. */
export const responseListPages = pagedList(
  'response list',
  z.object({ journey_id: z.string(), limit: z.number().default(responseListLimits.default) }),
  z.string(),
);

/** Each answer takes an item of a transaction, which has at most 100. */
const maxAnswers = 40;
const maxValues = 100;
const maxNameLength = 200;
const maxValueLength = 4000;

/** An answer to one block in a request. */
const sentAnswer = z
  .looseObject(
    {
      block_id: z.string('is required').toLowerCase().describe('Id of the block'),
      answer: z
        .enum(decisions, 'must be accepted or declined')
        .nullish()
        .describe('The decision on an agreement, a signature or a confirmation'),
      typed_name: text(maxNameLength)
        .nullish()
        .describe('The typed name, with at least two letters, if the block asks for a signature'),
      values: z
        .array(
          z
            .looseObject(
              {
                question: text()
                  .nullish()
                  .describe('The text of the question, in any language of the campaign, or its `key`'),
                key: text().nullish().describe('The `key` of the question. Enough without `question`'),
                value: text(maxValueLength).describe('The text of an option or its `key`, or the typed text'),
              },
              'must be an object',
            )
            .refine(({ question, key }) => !isBlank(question) || !isBlank(key), {
              path: ['question'],
              message: 'is required',
            })
            .meta({ id: 'SurveyValueInput', description: 'An answer to one question' }),
          'must be an array',
        )
        .max(maxValues, `must have at most ${maxValues} entries`)
        .nullish()
        .describe('The answers to the questions of a survey'),
    },
    'must be an object',
  )
  .meta({ id: 'PageAnswerInput', description: 'The answer of a person to one block of a page' });
export type SentAnswer = z.output<typeof sentAnswer>;

/** The language in which a page was shown, so that a response contains what the person saw. */
export const shownLanguage = () =>
  z
    .string('must be a string')
    .optional()
    .describe(
      'The language in which the page was shown. An unknown one means that of the template. Without it, as ' +
        '`Accept-Language` says',
    );

export const sentAnswers = () =>
  z.array(sentAnswer, 'must be an array').max(maxAnswers, `must have at most ${maxAnswers} entries`);

/** An action that a page sends: it was viewed, or it was completed with these answers. */
export type PageAction = {
  type: PageActionType;
  page_id: string;
  /** The language in which the page was shown. */
  language?: string | undefined;
  answers?: readonly SentAnswer[];
};

const surveyValue = z.object({
  key: z.string().describe('The `key` of the question'),
  question: z.string(),
  option_key: z
    .string()
    .optional()
    .describe('The `key` of the chosen option, the same in every language. Absent for a typed text'),
  value: z.string().describe('What was chosen or typed'),
});

/** A stored answer. It is never changed; a later answer is another entry. */
export const keptResponse = z.object({
  id: uuid().describe('Response id'),
  page_id: uuid().describe('The page'),
  block_id: uuid().describe('The block of the page'),
  block_type: z.string().nullable().describe('Type of the block'),
  answer: z.enum(decisions).nullable().describe('The decision; `null` for a survey'),
  typed_name: z.string().nullable().describe('The name that was typed as a signature'),
  values: z.array(surveyValue),
  text: z.string(),
  content_revision: z.string().nullable().describe('Revision of the campaign content that contained the block'),
  identity_proved: z.boolean().describe('True if the person had proved to be the contact'),
  shows_private: z.boolean().describe('True if the block showed private values'),
  identity_facts_changed_at: z.iso
    .datetime()
    .nullable()
    .describe('When the birthdate, a phone or the post code of the contact had last changed. `null` if unknown'),
  identity_facts_changed_by: z
    .string()
    .nullable()
    .describe('Who changed them: a client id, `import` for a dropped file, or `admin`'),
  at: z.iso.datetime().describe('Time of the answer. Later than that of every earlier answer in the journey'),
});
export type KeptResponse = z.output<typeof keptResponse>;

const hidden = (description: string) =>
  z
    .string()
    .nullable()
    .describe(`${description}. If the block showed private values, \`null\` without the scope \`contacts:private\``);

/** A response in the API. */
export const shownResponse = keptResponse
  .omit({ shows_private: true })
  .extend({
    values: z
      .array(
        surveyValue
          .extend({
            question: hidden('The question, as it was shown'),
            value: hidden('What was chosen or typed'),
          })
          .meta({ id: 'SurveyValue', description: 'An answer to one question' }),
      )
      .describe('The answers to the questions of a survey'),
    text: hidden('The text of the block, as it was shown'),
  })
  .meta({ id: 'PageResponse', description: 'The answer of a person to a block of a page' });
export type ShownResponse = z.output<typeof shownResponse>;

/** A response as a caller may read it. */
export function shownResponseOf<Response extends KeptResponse>(
  { shows_private, ...response }: Response,
  readsPrivate: boolean,
) {
  if (readsPrivate || !shows_private) return response;
  const values = response.values.map((each) => ({ ...each, question: null, value: null }));
  return { ...response, values, text: null };
}

/** An answer to a block, with the id of its response. `answer` is `null` for a block without a decision. */
export type BlockAnswer = { id: string; page_id: string; block_id: string; answer: Decision | null; at: string };

/** An answer as the page shows it. What was typed and chosen is left out if the person may not see it. */
export type ShownAnswer = BlockAnswer &
  Partial<Pick<KeptResponse, 'typed_name' | 'values' | 'text'>> & {
    /** True if the block had another text when it was answered. */
    isOfOtherText?: boolean;
  };

/** True if a name or values were given with a proof, so that they are shown only with a proof. */
export const isPrivate = ({ identity_proved, typed_name, values }: KeptResponse): boolean =>
  identity_proved && (typed_name !== null || values.length > 0);

/** @param isProved true if the person has proved to be the contact, and may see what was answered with a proof */
export function shownAnswer(answer: BlockAnswer, response: KeptResponse | undefined, isProved: boolean): ShownAnswer {
  if (!response || (response.identity_proved && !isProved)) return answer;
  return { ...answer, typed_name: response.typed_name, values: response.values, text: response.text };
}

type Block = Pick<ContentBlock, 'id' | 'type' | 'data'>;

const answerable: readonly (BlockKind | undefined)[] = ['agreement', 'confirmation', 'survey'];
const kindOf = ({ type }: Block): BlockKind | undefined => {
  const kind = blockKindOf(type);
  return answerable.includes(kind) ? kind : undefined;
};

/**
 * Errors of answers to the blocks that were shown. Paths are relative to the request.
 * @param values of the placeholders, because an answer names the question as it was shown
 */
export function answerErrors(answers: readonly SentAnswer[], blocks: readonly Block[], values: Values): ErrorDetail[] {
  const seen = new Set<string>();
  return answers.flatMap((sent, index) => {
    const block = blocks.find(({ id }) => id === sent.block_id);
    const own = errorsOf(sent, block, values);
    const isAgain = block !== undefined && seen.has(block.id);
    if (block) seen.add(block.id);
    const errors = isAgain ? [{ path: '/block_id', message: 'must not be answered twice in one request' }] : own;
    return errors.map(({ path, message }) => ({ path: `/answers/${index}${path}`, message }));
  });
}

function errorsOf(sent: SentAnswer, block: Block | undefined, values: Values): ErrorDetail[] {
  const kind = block && kindOf(block);
  const given = sent.values ?? [];
  if (!kind) return [{ path: '/block_id', message: 'must be a block of the page that takes an answer' }];
  if (kind === 'survey') {
    const { errors } = surveyAnswers(block, values, given);
    const decided = sent.answer ? [{ path: '/answer', message: 'must be left out: a survey has no decision' }] : [];
    return [...decided, ...errors.map(({ path, message }) => ({ path: `/values${path}`, message }))];
  }
  const unasked =
    given.length > 0 ? [{ path: '/values', message: 'must be left out: the block has no questions' }] : [];
  return [...decisionErrors(sent, block), ...unasked];
}

function decisionErrors(sent: SentAnswer, block: Block): ErrorDetail[] {
  if (!sent.answer) return [{ path: '/answer', message: 'must be accepted or declined' }];
  if (sent.answer === 'declined' || !asksForSignature(block) || isSignature(sent.typed_name)) return [];
  const message = isBlank(sent.typed_name)
    ? 'is required: the block asks for a signature'
    : 'must have at least two letters: the block asks for a signature';
  return [{ path: '/typed_name', message }];
}

/**
 * True for a typed name with at least two letters of any script. One letter is rather a mistake than a name. A mark counts
 * like a letter, because in some scripts a mark is a vowel.
 */
export const isSignature = (name: string | null | undefined): boolean =>
  [...(name ?? '').normalize('NFC').matchAll(/[\p{L}\p{M}]/gu)].length >= 2;

const asksForSignature = ({ data }: Block): boolean => !isBlank(data?.signatureBoxText);

/** True if the answers complete the page: all accept, or their blocks say that declining completes it too. */
export const complete = (answers: readonly SentAnswer[], blocks: readonly Block[]): boolean =>
  answers.every(({ block_id, answer }) => {
    const declinable = blocks.some(({ id, data }) => id === block_id && data?.declineCompletes === true);
    return answer !== 'declined' || declinable;
  });

/** A response before its time is decided. */
export type UntimedResponse = Omit<KeptResponse, 'at'>;

export type ResponseContext = Omit<
  UntimedResponse,
  'id' | 'block_id' | 'block_type' | 'answer' | 'typed_name' | 'values' | 'text' | 'shows_private'
> & {
  blocks: readonly Block[];
  values: Values;
  newId(): string;
};

/** The answers as they are stored. @param answers must have no errors */
export function keptResponses(answers: readonly SentAnswer[], context: ResponseContext): UntimedResponse[] {
  const { blocks, values, newId, ...shared } = context;
  return answers.map(({ block_id, answer = null, typed_name, values: given }) => {
    const block = blocks.find(({ id }) => id === block_id)!;
    return {
      id: newId(),
      block_id,
      block_type: block.type,
      answer,
      typed_name: isBlank(typed_name) ? null : (typed_name ?? null),
      values: surveyAnswers(block, values, given ?? []).answers,
      text: shownText(block, values),
      shows_private: values.isIdentityValidated && namesPrivateData([block.data], values.variables),
      ...shared,
    };
  });
}

/** The text of the block with its placeholders filled in, as it is shown. */
function shownText(block: Block, values: Values): string {
  const { documentLinkUrl } = (block.data ?? {}) as Readonly<JsonObject>;
  const link = typeof documentLinkUrl === 'string' ? [fillUrl(documentLinkUrl, values)] : [];
  return [...answeredTexts(block, (url) => fillUrl(url, values)).map((each) => fill(each, values)), ...link].join(
    '\n\n',
  );
}

/** The texts of the block that a response keeps, with placeholders and the URLs of links. */
export function answeredTexts({ data }: Pick<Block, 'data'>, urlOf = (url: string): string => url): string[] {
  const texts = (data ?? {}) as Readonly<JsonObject>;
  const said = ['heading', 'body', 'agreementText', 'text', 'signatureBoxText', 'documentLinkText'].map((name) => {
    const text = texts[name];
    return typeof text === 'string' && (name === 'body' || name === 'agreementText') ? unmarked(text, urlOf) : text;
  });
  const asked = Array.isArray(texts.questions) ? texts.questions.map(questionText) : [];
  return [...said, ...asked].filter(isFilledText);
}

/** True if the text of a response was made from this block, whatever its placeholders and its link stood for then. */
export function isTextOf(block: Block, text: string): boolean {
  const texts = answeredTexts(block).join('\n\n');
  if (isMadeFrom(texts, text)) return true;
  return typeof block.data?.documentLinkUrl === 'string' && isMadeFrom(texts, text.replace(/\n\n\S*$/, ''));
}

/** True if the block of the response has another text now. @param blocks in every language of the campaign */
export function isOfOtherText(blocks: readonly Block[], { block_id, text }: KeptResponse): boolean {
  const own = blocks.filter(({ id }) => id === block_id);
  return own.length > 0 && !own.some((block) => isTextOf(block, text));
}

function isMadeFrom(texts: string, text: string): boolean {
  const [first = '', ...parts] = texts.replaceAll(placeholder, '\0').split('\0');
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let rest = text.slice(first.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return rest.endsWith(last);
}

/** The answer in the fields of the form on a page. `undefined` if they name no block. */
export function answersOfForm(fields: { readonly [name: string]: string }): JsonObject[] | undefined {
  const { block_id, answer, typed_name } = fields;
  if (block_id === undefined) return undefined;
  const values = Object.entries(fields)
    .filter(([name, value]) => questionOfField(name) !== undefined && value.trim() !== '')
    .map(([name, value]) => ({ question: questionOfField(name)!, value }));
  return [{ block_id, ...(answer ? { answer } : {}), ...(typed_name ? { typed_name } : {}), values }];
}
