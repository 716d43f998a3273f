import { option, question } from '../../domain/content/block-types.ts';
import { namesOf } from '../../domain/content/shape.ts';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { withoutInvisible } from './invisible.ts';
import { textOf } from './members.ts';

/** What people cannot answer, or not tell apart, in a survey. @param path of its questions */
export function questionWarnings(questions: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(questions) || questions.length === 0) {
    return [{ path, message: 'has no questions, so the survey asks nothing: write a list of them in [ ]' }];
  }
  const texts = questions.map((each) => comparable(isJsonObject(each) ? textOf(each, questionNames) : each));
  return questions.flatMap((each, index) => {
    const at = `${path}/${index}`;
    const text = texts[index];
    if (typeof text !== 'string' || text.trim() === '')
      return [{ path: at, message: 'has no `text` and is not asked' }];
    const first = texts.indexOf(text);
    return [
      ...(first < index
        ? [{ path: at, message: `has the same text as question ${first + 1}: people cannot tell them apart` }]
        : []),
      ...optionWarnings(isJsonObject(each) ? each.options : undefined, `${at}/options`),
    ];
  });
}

function optionWarnings(options: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(options)) return [];
  if (options.length === 0)
    return [{ path, message: 'is empty, so the person types the answer: write the options, or delete the field' }];
  const texts = options.map((each) => comparable(isJsonObject(each) ? textOf(each, optionNames) : each));
  if (texts.length === 1 && isSeveral(texts[0])) {
    return [{ path: `${path}/0`, message: 'is one option: write each option in quotes of its own' }];
  }
  return texts.flatMap((text, index) => {
    const isBlank = text === undefined || text === null || text === '';
    if (isBlank) return [{ path: `${path}/${index}`, message: 'has no text and is not offered' }];
    const first = texts.indexOf(text);
    if (typeof text === 'object' || first === index) return [];
    const message = `has the same text as option ${first + 1}: the answer does not say which of them was chosen`;
    return [{ path: `${path}/${index}`, message }];
  });
}

/** True for a text such as `Fixed, variable, mixed` or `Yes/No`. */
function isSeveral(text: unknown): boolean {
  const isList = (separator: RegExp, parts: number, words: number) => {
    const found = String(text)
      .split(separator)
      .map((each) => each.trim());
    return found.length >= parts && found.every((each) => each !== '' && each.split(' ').length <= words);
  };
  return typeof text === 'string' && (isList(/,/, 3, 4) || isList(/[;|/]/, 2, 2));
}

/** Texts that people cannot tell apart are the same. */
const comparable = <Value>(value: Value): Value | string =>
  typeof value === 'string' || typeof value === 'number'
    ? withoutInvisible(String(value)).replaceAll(/\s+/g, ' ').trim().toLowerCase()
    : value;

export const questionNames = namesOf(question.fields, 'text');
export const optionNames = namesOf(option.fields, 'text');
