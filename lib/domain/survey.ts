import type { ContentBlock } from './content/block.ts';
import { blockKindOf, question } from './content/block-types.ts';
import { namesOf } from './content/shape.ts';
import { isBlank } from './fields.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { fill, type Values } from './placeholders.ts';

/** The questions of surveys, and how answers name them (contract, sections 6 and 10). */

type Block = Pick<ContentBlock, 'type' | 'data'>;
type Question = { text: string; isRequired: boolean; key: string | undefined };
/** An answer to one question. `key` is not set if the campaign gives the question none. */
export type SurveyValue = { key?: string | undefined; question: string; value: string };

/** Prefix of the form fields for survey values. The name of the question follows it. */
export const valuePrefix = 'value:';

/** The questions of a survey, with placeholders in their texts. None if the block is not a survey. */
export function questionsOf(block: Block | undefined): Question[] {
  const given = block && blockKindOf(block.type) === 'survey' ? block.data?.questions : undefined;
  return (Array.isArray(given) ? (given as JsonValue[]) : []).flatMap((each) => {
    const text = questionText(each);
    if (!isFilledText(text)) return [];
    return [{ text, isRequired: isJsonObject(each) && each.required === true, key: questionKey(each) }];
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

/** The required questions without an answer, as they are written in the campaign. */
export function unansweredQuestions(
  block: Block | undefined,
  values: Values,
  given: readonly SurveyValue[],
): readonly string[] {
  const answered = new Set(given.filter(({ value }) => !isBlank(value)).map((each) => lines(each.question)));
  return namedQuestions(block, values)
    .filter(({ name, isRequired }) => isRequired && !answered.has(lines(name)))
    .map(({ text }) => text);
}

/** The answers with the keys of their questions. */
export function surveyValues(block: Block | undefined, values: Values, given: readonly SurveyValue[]): SurveyValue[] {
  const keys = new Map(namedQuestions(block, values).map(({ name, key }) => [lines(name), key]));
  return given.map(({ question: name, value }) => {
    const key = keys.get(lines(name));
    return { ...(key === undefined ? {} : { key }), question: name, value };
  });
}

/** Browsers send line breaks in the names of fields as CRLF. */
const lines = (text: string): string => text.replaceAll('\r\n', '\n');

export const questionText = (asked: JsonValue): JsonValue | undefined =>
  isJsonObject(asked) ? textField(asked, 'text') : asked;

const questionKey = (asked: JsonValue): string | undefined =>
  isJsonObject(asked) ? textField(asked, 'key') : undefined;

const textField = (asked: JsonObject, field: 'text' | 'key'): string | undefined =>
  namesOf(question.fields, field)
    .map((name) => asked[name])
    .find(isFilledText);
