import * as z from 'zod';
import type { PageActionType } from './completion.ts';
import type { ContentBlock } from './content/block.ts';
import { isBlank, text } from './fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { fill, fillUrl, type Values } from './placeholders.ts';
import type { ErrorDetail } from './problem.ts';
import { uuid } from './uuid.ts';

/** What people answer on pages: agreements, signatures, surveys (contract, sections 6 and 10). */
export const decisions = ['accepted', 'declined'] as const;
export type Decision = (typeof decisions)[number];

/** Each is two items of one transaction, which takes a hundred. */
const maxAnswers = 40;
const maxValues = 100;
const maxNameLength = 200;
const maxValueLength = 4000;

/** An answer to one block, as it is sent. */
export const sentAnswer = z
  .looseObject(
    {
      block_id: z.string('is required').toLowerCase().meta({ description: 'The block that is answered' }),
      answer: z
        .enum(decisions, 'must be accepted or declined')
        .nullish()
        .meta({ description: 'To an agreement or a confirmation' }),
      typed_name: text(maxNameLength).nullish().meta({ description: 'Where the block asks for a signature' }),
      values: z
        .array(
          z
            .looseObject(
              {
                question: text().meta({ description: 'As it was shown' }),
                value: text(maxValueLength).meta({ description: 'What was chosen or typed' }),
              },
              'must be an object',
            )
            .meta({ id: 'SurveyValueInput', description: 'An answer to one question' }),
          'must be an array',
        )
        .max(maxValues, `must have at most ${maxValues} entries`)
        .nullish()
        .meta({ description: 'To the questions of a survey' }),
    },
    'must be an object',
  )
  .meta({ id: 'PageAnswerInput', description: 'What a person answers to one block of a page' });
export type SentAnswer = z.output<typeof sentAnswer>;

export const sentAnswers = () =>
  z.array(sentAnswer, 'must be an array').max(maxAnswers, `must have at most ${maxAnswers} entries`);

/** What a page reports of a person: that it was seen, or what was done and answered on it. */
export type PageAction = { type: PageActionType; page_id: string; answers?: readonly SentAnswer[] };

const surveyValue = z.object({
  question: z.string(),
  value: z.string().meta({ description: 'What was chosen or typed' }),
});

/** An answer as it is kept: never changed, a later one is another. */
export const keptResponse = z.object({
  id: uuid().meta({ description: 'Response id' }),
  page_id: uuid().meta({ description: 'The page' }),
  block_id: uuid().meta({ description: 'The block of the page' }),
  block_type: z.string().nullable().meta({ description: 'Type of the block' }),
  answer: z.enum(decisions).nullable().meta({ description: 'What was decided; `null` for a survey' }),
  typed_name: z.string().nullable().meta({ description: 'The name that was typed as a signature' }),
  values: z.array(surveyValue),
  text: z.string(),
  content_revision: z.string().nullable().meta({ description: 'Revision of the content that the block is from' }),
  identity_proved: z.boolean().meta({ description: 'Whether the person had proved to be the contact' }),
  at: z.iso.datetime().meta({ description: 'When it was answered' }),
});
export type KeptResponse = z.output<typeof keptResponse>;

const hidden = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}; \`null\` without \`contacts:private\`, where the identity had been proved` });

/** A response as the interface returns it: what was shown may hold private values where the identity had been proved. */
export const shownResponse = keptResponse
  .extend({
    values: z
      .array(
        z
          .object({ question: hidden('As it was shown'), value: surveyValue.shape.value })
          .meta({ id: 'SurveyValue', description: 'An answer to one question' }),
      )
      .meta({ description: 'Of a survey' }),
    text: hidden('What the block said'),
  })
  .meta({ id: 'PageResponse', description: 'What a person answered to a block of a page' });
export type ShownResponse = z.output<typeof shownResponse>;

export function shownResponseOf(response: KeptResponse, readsPrivate: boolean): ShownResponse {
  if (readsPrivate || !response.identity_proved) return response;
  return { ...response, values: response.values.map(({ value }) => ({ question: null, value })), text: null };
}

/** The latest decision on a block; `null` where it was answered without one. */
export type BlockAnswer = { page_id: string; block_id: string; answer: Decision | null; at: string };

/** The latest answer to each block of the page. */
export function latestAnswers(answers: readonly BlockAnswer[], pageId: string): Map<string, BlockAnswer> {
  const own = answers.filter(({ page_id }) => page_id === pageId);
  return new Map(own.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((answer) => [answer.block_id, answer]));
}

type Block = Pick<ContentBlock, 'id' | 'type' | 'data'>;

const kinds: Readonly<Record<string, 'consent' | 'survey'>> = {
  agreement: 'consent',
  agree_disagree: 'consent',
  signature: 'consent',
  confirm: 'consent',
  confirmation: 'consent',
  survey: 'survey',
};

/** The name of a block's type as it is compared. */
export const blockTypeName = (type: string | null): string => (type ?? 'text').toLowerCase().replaceAll(/[\s-]+/g, '_');

const kindOf = ({ type }: Block) => {
  const name = blockTypeName(type);
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
};

/** Faults of answers to the blocks that the person was shown; paths from the request. */
export function answerErrors(answers: readonly SentAnswer[], blocks: readonly Block[]): ErrorDetail[] {
  const seen = new Set<string>();
  return answers.flatMap((sent, index) => {
    const at = `/answers/${index}`;
    const block = blocks.find(({ id }) => id === sent.block_id);
    const kind = block && kindOf(block);
    if (!kind) return [{ path: `${at}/block_id`, message: 'must be a block of the page that takes an answer' }];
    if (seen.has(block.id)) return [{ path: `${at}/block_id`, message: 'must not be answered twice at once' }];
    seen.add(block.id);
    if (kind === 'survey') {
      return sent.answer ? [{ path: `${at}/answer`, message: 'must be left out: a survey is not decided on' }] : [];
    }
    if (!sent.answer) return [{ path: `${at}/answer`, message: 'must be accepted or declined' }];
    const isUnsigned = sent.answer === 'accepted' && asksForSignature(block) && isBlank(sent.typed_name);
    return isUnsigned ? [{ path: `${at}/typed_name`, message: 'is required: the block asks for a signature' }] : [];
  });
}

const asksForSignature = ({ data }: Block): boolean => !isBlank(data?.signatureBoxText);

/** Whether these answers leave the page incomplete: declining is recorded and completes nothing. */
export const isDeclining = (answers: readonly SentAnswer[]): boolean =>
  answers.some(({ answer }) => answer === 'declined');

export type ResponseContext = Pick<KeptResponse, 'page_id' | 'content_revision' | 'identity_proved' | 'at'> & {
  blocks: readonly Block[];
  values: Values;
  newId(): string;
};

/** The answers as they are kept. @param answers without faults */
export function keptResponses(answers: readonly SentAnswer[], context: ResponseContext): KeptResponse[] {
  const { blocks, values, newId, ...shared } = context;
  return answers.map(({ block_id, answer = null, typed_name, values: given }) => {
    const block = blocks.find(({ id }) => id === block_id)!;
    return {
      id: newId(),
      block_id,
      block_type: block.type,
      answer,
      typed_name: isBlank(typed_name) ? null : (typed_name ?? null),
      values: (given ?? []).map(({ question, value }) => ({ question, value })),
      text: shownText(block, values),
      ...shared,
    };
  });
}

/** What the block says, with its placeholders filled in as the person sees it. */
function shownText({ data }: Block, values: Values): string {
  const texts = (data ?? {}) as Readonly<JsonObject>;
  const said = ['heading', 'body', 'agreementText', 'text', 'signatureBoxText', 'documentLinkText'].map(
    (name) => texts[name],
  );
  const asked = Array.isArray(texts.questions) ? texts.questions.map(questionText) : [];
  const link = typeof texts.documentLinkUrl === 'string' ? [fillUrl(texts.documentLinkUrl, values)] : [];
  const filled = [...said, ...asked].filter(isText).map((each) => fill(each, values));
  return [...filled, ...link].join('\n\n');
}

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value.trim() !== '';

const questionText = (question: JsonValue): JsonValue | undefined =>
  isJsonObject(question)
    ? ['text', 'question', 'label', 'heading'].map((name) => question[name]).find(isText)
    : question;

/** Names of a form's fields that hold values: what follows is the question. */
export const valuePrefix = 'value:';

/** The answer that the fields of a page's own form are; none where they name no block. */
export function answersOfForm(fields: { readonly [name: string]: string }): JsonObject[] | undefined {
  const { block_id, answer, typed_name } = fields;
  if (block_id === undefined) return undefined;
  const values = Object.entries(fields)
    .filter(([name, value]) => name.startsWith(valuePrefix) && value.trim() !== '')
    .map(([name, value]) => ({ question: name.slice(valuePrefix.length), value }));
  return [{ block_id, ...(answer ? { answer } : {}), ...(typed_name ? { typed_name } : {}), values }];
}
