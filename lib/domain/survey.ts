import type { ContentBlock } from './content/block.ts';
import { blockKindOf, option, question } from './content/block-types.ts';
import { type Fields, namesOf } from './content/shape.ts';
import { isBlank } from './fields.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { fill, type Values } from './placeholders.ts';
import type { ErrorDetail } from './problem.ts';

/** The questions of surveys, and how answers name them (contract, sections 6 and 10). */

type Block = Pick<ContentBlock, 'type' | 'data'>;
type Question = {
  text: string;
  isRequired: boolean;
  key: string | undefined;
  /** The values of which the person chooses one. None if the person types a text. */
  offered: readonly string[];
};
/** An answer to one question. `key` is not set if the campaign gives the question none. */
export type SurveyValue = { key?: string | undefined; question: string; value: string };
/** An answer as it is sent. It names its question by `key` or by `question`, its shown text or its key. */
export type SentValue = { key?: string | null | undefined; question?: string | null | undefined; value: string };

/** Prefix of the form fields for survey values. The name of the question follows it. */
export const valuePrefix = 'value:';

/** The questions of a survey, with placeholders in their texts. None if the block is not a survey. */
export function questionsOf(block: Block | undefined): Question[] {
  const given = block && blockKindOf(block.type) === 'survey' ? block.data?.questions : undefined;
  return (Array.isArray(given) ? (given as JsonValue[]) : []).flatMap((each) => {
    const text = questionText(each);
    if (!isFilledText(text)) return [];
    const isRequired = isJsonObject(each) && each.required === true;
    return [{ text, isRequired, key: questionKey(each), offered: offeredBy(each) }];
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
  const answered = new Map<string, SurveyValue>();
  const errors: ErrorDetail[] = [];
  for (const [index, sent] of given.entries()) {
    const found = asked.find((each) => isNamedBy(each, sent));
    const value = found && chosen(found, values, sent.value);
    if (!found) errors.push({ path: `/${index}/${isBlank(sent.question) ? 'key' : 'question'}`, message: notAsked });
    else if (answered.has(found.name)) errors.push({ path: `/${index}`, message: answeredTwice });
    else if (value === undefined) errors.push({ path: `/${index}/value`, message: notOffered });
    if (!found || value === undefined) continue;
    answered.set(found.name, { ...(found.key === undefined ? {} : { key: found.key }), question: found.name, value });
  }
  for (const { name, isRequired, text } of asked) {
    const isMissing = isRequired && isBlank(answered.get(name)?.value);
    if (isMissing) errors.push({ path: '', message: `must have an answer to "${text}"` });
  }
  return { answers: [...answered.values()], errors };
}

const notAsked = 'must be a question of the block';
const notOffered = 'must be a value that the question offers';
const answeredTwice = 'must not answer a question twice';

/** `question` names it by its shown text or by its key, as `key` does. */
const isNamedBy = ({ key, name }: { key: string | undefined; name: string }, sent: SentValue): boolean =>
  (isBlank(sent.key) || sent.key === key) &&
  (isBlank(sent.question) || sent.question === key || lines(sent.question ?? '') === lines(name));

/** The value as the content words it. `undefined` if the question does not offer it. */
function chosen({ offered }: Question, values: Values, sent: string): string | undefined {
  const choices = offered.map((each) => fill(each, values)).filter(isFilledText);
  return choices.length === 0 ? sent : choices.find((choice) => lines(choice) === lines(sent));
}

/** Browsers send line breaks in the names of fields as CRLF. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n');

export const questionText = (asked: JsonValue): JsonValue | undefined =>
  isJsonObject(asked) ? textField(asked, 'text') : asked;

const questionKey = (asked: JsonValue): string | undefined =>
  isJsonObject(asked) ? textField(asked, 'key') : undefined;

const textField = (asked: JsonObject, field: 'text' | 'key', fields: Fields = question.fields): string | undefined =>
  namesOf(fields, field)
    .map((name) => asked[name])
    .find(isFilledText);

function offeredBy(asked: JsonValue): string[] {
  if (!isJsonObject(asked)) return [];
  const given = namesOf(question.fields, 'options').map((name) => asked[name]);
  return (
    scaleOf(asked.scale)?.map(String) ?? (given.find(Array.isArray) ?? []).flatMap((each) => optionText(each) ?? [])
  );
}

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
