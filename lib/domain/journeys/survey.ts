import type { ContentBlock } from '../campaigns/block.ts';
import { blockKindOf, option, question } from '../campaigns/block-types.ts';
import { type Fields, namesOf } from '../campaigns/shape.ts';
import { isBlank } from '../values/fields.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { ErrorDetail } from '../values/problem.ts';
import { fill, type Values } from './placeholders.ts';

/** The questions of surveys, and how answers name them (contract, sections 6 and 10). */

type Block = Pick<ContentBlock, 'type' | 'data'>;
type Question = {
  text: string;
  isRequired: boolean;
  /** How many options the person may choose, if several. */
  several: Several | undefined;
  /** What is typed. `undefined` for any text. */
  type: 'number' | 'date' | undefined;
  key: string;
  /** The options of which the person chooses one. None if the person types a text. */
  offered: readonly Option[];
};
type Option = { key: string; text: string };
export type Several = { min: number; max: number };
/** An answer to one question. `option_key` is not set for a typed text. */
export type SurveyValue = { key: string; question: string; option_key?: string | undefined; value: string };
/** An answer as it is sent. It names its question by `key` or by `question`, and its option by `value`: text or key. */
export type SentValue = { key?: string | null | undefined; question?: string | null | undefined; value: string };

/** Name of the form field for an answer. Of a question with several answers, each option has a field of its own. */
export const fieldOf = (question: string, option?: number): string =>
  `value${option === undefined ? '' : `[${option}]`}:${question}`;
/** The question of a form field. */
export const questionOfField = (field: string): string | undefined => /^value(?:\[\d+\])?:([\s\S]*)$/.exec(field)?.[1];

/** The questions of a survey, with placeholders in their texts. None if the block is not a survey. */
export function questionsOf(block: Block | undefined): Question[] {
  const given = block && blockKindOf(block.type) === 'survey' ? block.data?.questions : undefined;
  return (Array.isArray(given) ? (given as JsonValue[]) : []).flatMap((each, index) => {
    const text = questionText(each);
    if (!isFilledText(text)) return [];
    const isRequired = isJsonObject(each) && each.required === true;
    const offered = offeredBy(each);
    const kind = offered.length === 0 ? typeOf(each) : undefined;
    return [{ text, isRequired, several: severalOf(each), type: kind, key: questionKeyAt(each, index), offered }];
  });
}

/** The questions of a survey that have a text to show, with the names under which their answers are stored. */
export function namedQuestions(block: Block | undefined, values: Values): (Question & { name: string })[] {
  const nameOf = uniqueNames();
  return questionsOf(block).flatMap((each) => {
    const shown = fill(each.text, values);
    return isFilledText(shown) ? [{ ...each, name: nameOf(shown) }] : [];
  });
}

/**
 * Gives each question of a survey a name of its own: the text as it is shown, with a number if an earlier question has
 * the same text. Texts that differ in one language can be equal in another.
 */
export function uniqueNames(): (text: string) => string {
  const taken = new Set<string>();
  return (text) => {
    let name = text;
    for (let count = 2; taken.has(name); count++) name = `${text} (${count})`;
    taken.add(name);
    return name;
  };
}

/**
 * The answers to a survey, worded as its content words them (contract, section 6), and the errors of answers that the
 * survey does not offer. Paths are relative to `values`.
 */
export function surveyAnswers(
  block: Block | undefined,
  values: Values,
  given: readonly SentValue[],
): { answers: SurveyValue[]; errors: ErrorDetail[] } {
  const asked = namedQuestions(block, values);
  const answered = new Map<string, SurveyValue[]>();
  const errors: ErrorDetail[] = [];
  for (const [index, sent] of given.entries()) {
    const found = namedBy(asked, sent);
    const answer = found && chosen(found, values, sent.value);
    if (!found) errors.push({ path: `/${index}/${isBlank(sent.question) ? 'key' : 'question'}`, message: notAsked });
    else if (isAnswered(found, answered.get(found.name), answer))
      errors.push({ path: `/${index}`, message: answeredTwice });
    else if (answer === undefined) errors.push({ path: `/${index}/value`, message: notOffered(found.type) });
    if (found && answer) {
      const value = { key: found.key, question: found.name, ...answer };
      answered.set(found.name, [...(answered.get(found.name) ?? []), value]);
    }
  }
  for (const { name, isRequired, several, text } of asked) {
    const given = answered.get(name) ?? [];
    if (isRequired && given.every(({ value }) => isBlank(value))) {
      errors.push({ path: '', message: `must have an answer to "${text}"` });
    } else if (several && given.length > 0 && !isWithin(several, given.length)) {
      errors.push({ path: '', message: `must have ${several.min} to ${several.max} answers to "${text}"` });
    }
  }
  return { answers: [...answered.values()].flat(), errors };
}

const notAsked = 'must be a question of the block';
const notOffered = (type: Question['type']): string =>
  type === undefined ? 'must be a value that the question offers' : typed[type].message;
const answeredTwice = 'must not answer a question twice';

/** `question` is its shown text or its key. A text comes first: that of one question can be the key of another. */
function namedBy<Asked extends { key: string; name: string }>(
  asked: readonly Asked[],
  { key, question }: SentValue,
): Asked | undefined {
  const possible = isBlank(key) ? asked : asked.filter((each) => each.key === key);
  if (isBlank(question)) return possible[0];
  const named = possible.find(({ name }) => lines(name) === lines(question ?? ''));
  return named ?? possible.find((each) => each.key === question);
}

/**
 * The answers with their questions and options by key, where one language of the survey has their texts. For answers in
 * texts of several languages.
 * @param languages the survey in each language
 */
export function byKeys(
  given: readonly SentValue[],
  languages: readonly { block: Block | undefined; values: Values }[],
): SentValue[] {
  const shown = languages.map(({ block, values }) => ({ asked: namedQuestions(block, values), values }));
  return given.map((sent) => {
    const key = shown.flatMap(({ asked }) => namedBy(asked, sent) ?? [])[0]?.key;
    if (key === undefined) return sent;
    const options = shown.flatMap(({ asked, values }) => {
      const own = asked.find((each) => each.key === key);
      return (own && chosen(own, values, sent.value)) ?? [];
    });
    return { key, value: options[0]?.option_key ?? sent.value };
  });
}

/**
 * The value as the content words it, with the key of its option. `undefined` if the question does not offer it. The text
 * of an option comes before the key of another.
 */
function chosen(
  { offered, type }: Question,
  values: Values,
  sent: string,
): Pick<SurveyValue, 'option_key' | 'value'> | undefined {
  const choices = offered
    .map(({ key, text }) => ({ option_key: key, value: fill(text, values) }))
    .filter(({ value }) => isFilledText(value));
  if (choices.length === 0) {
    return type === undefined || isBlank(sent) || isTyped(type, sent) ? { value: sent } : undefined;
  }
  return (
    choices.find(({ value }) => lines(value) === lines(sent)) ?? choices.find(({ option_key }) => option_key === sent)
  );
}

/** A question takes one answer, or each of its options once. */
const isAnswered = (
  { several }: Question,
  given: readonly SurveyValue[] | undefined,
  answer: Pick<SurveyValue, 'option_key'> | undefined,
): boolean => given !== undefined && (!several || given.some((each) => each.option_key === answer?.option_key));

export const isWithin = ({ min, max }: Several, count: number): boolean => count >= min && count <= max;

const typed = {
  number: { is: (text: string) => /^-?\d+(?:\.\d+)?$/.test(text), message: 'must be a number, such as 12.5' },
  date: { is: isDate, message: 'must be a date, such as 2026-01-31' },
} as const;

/** True if the text is what a question of this type takes. */
export const isTyped = (type: 'number' | 'date', text: string): boolean => typed[type].is(text.trim());

function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The kind of answer that is typed. */
export const typeOf = (asked: JsonValue): Question['type'] => {
  const type = isJsonObject(asked) ? asked.type : undefined;
  return type === 'number' || type === 'date' ? type : undefined;
};

/** How many options of a question can be chosen. `undefined` if only one can. */
export function severalOf(asked: JsonValue): Several | undefined {
  if (!isJsonObject(asked) || asked.multiple !== true || scaleOf(asked.scale)) return undefined;
  const most = optionsIn(asked).filter((each) => optionText(each) !== undefined).length;
  const count = (value: JsonValue | undefined, otherwise: number) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 ? Math.min(value, most) : otherwise;
  const min = count(asked.min, 1);
  return most === 0 ? undefined : { min, max: Math.max(min, count(asked.max, most)) };
}

/** Browsers send line breaks in the names of fields as CRLF. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n');

export const questionText = (asked: JsonValue): JsonValue | undefined =>
  isJsonObject(asked) ? textField(asked, 'text') : asked;

/**
 * Keys count answers, and are the same in every language. A campaign gives them, or else they are made from the place of
 * the question or option. The import keeps them when places change, see `lib/content/survey-keys.ts`.
 */
export const questionKeyAt = (asked: JsonValue, index: number): string =>
  keyIn(asked, question.fields) ?? `question_${index + 1}`;
export const optionKeyAt = (given: JsonValue, index: number): string =>
  keyIn(given, option.fields) ?? `option_${index + 1}`;

export const keyIn = (given: JsonValue, fields: Fields): string | undefined =>
  isJsonObject(given) ? textField(given, 'key', fields) : undefined;

const textField = (asked: JsonObject, field: 'text' | 'key', fields: Fields = question.fields): string | undefined =>
  namesOf(fields, field)
    .map((name) => asked[name])
    .find(isFilledText);

/** The key of a number of a scale is the number itself. */
function offeredBy(asked: JsonValue): Option[] {
  const scale = isJsonObject(asked) ? scaleOf(asked.scale) : undefined;
  if (scale) return scale.map((step) => ({ key: `${step}`, text: `${step}` }));
  return optionsIn(asked).flatMap((each, index) => {
    const text = optionText(each);
    return text === undefined ? [] : [{ key: optionKeyAt(each, index), text }];
  });
}

/** The options of a question as the campaign gives them. */
export const optionsIn = (asked: JsonValue): readonly JsonValue[] =>
  isJsonObject(asked)
    ? (namesOf(question.fields, 'options')
        .map((name) => asked[name])
        .find(Array.isArray) ?? [])
    : [];

/** The text of an option, with placeholders. `undefined` for an option without a text, which is not offered. */
export function optionText(given: JsonValue): string | undefined {
  if (isJsonObject(given)) return textField(given, 'text', option.fields);
  const text = typeof given === 'number' ? `${given}` : given;
  return isFilledText(text) ? text : undefined;
}

/** A scale with more steps is not shown as choices. */
const longestScale = 11;

/** The numbers of a scale from the lowest to the highest. Undefined if the value is no scale. */
export function scaleOf(value: JsonValue | undefined): number[] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [first = 0, last = 0] = value.map(Number);
  const steps = last - first + 1;
  const isScale = Number.isInteger(first) && Number.isInteger(last) && steps > 1 && steps <= longestScale;
  return isScale ? Array.from({ length: steps }, (_, step) => first + step) : undefined;
}
