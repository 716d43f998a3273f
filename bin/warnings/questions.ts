import { option, question } from '../../lib/domain/content/block-types.ts';
import { namesOf } from '../../lib/domain/content/shape.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { textOf } from './given.ts';

/** What people cannot answer, or not tell apart, in a survey. @param path of its questions */
export function questionWarnings(questions: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(questions) || questions.length === 0) {
    return [{ path, message: 'has no questions, so the survey asks nothing: write a list of them in [ ]' }];
  }
  const keys = questions.map((each) => (isJsonObject(each) ? textOf(each, keyNames)?.trim() : undefined));
  return [
    ...textWarnings(questions, questionNames, path, {
      empty: 'has no `text` and is not asked',
      same: (first) => `has the same text as question ${first}: people cannot tell them apart`,
    }),
    ...questions.flatMap((each, index) => {
      const at = `${path}/${index}`;
      const key = keys[index];
      const first = key === undefined ? index : keys.indexOf(key);
      return [
        ...(first < index
          ? [{ path: at, message: `has the same key as question ${first + 1}: write another, such as \`${key}_2\`` }]
          : []),
        ...(isJsonObject(each) && Array.isArray(each.options) && each.multiple !== true && asksForSeveral(each)
          ? [{ path: at, message: 'takes one answer only: write `"multiple": true` if several can apply' }]
          : []),
        ...optionWarnings(isJsonObject(each) ? each.options : undefined, `${at}/options`),
      ];
    }),
  ];
}

function optionWarnings(options: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(options)) return [];
  if (options.length === 0)
    return [{ path, message: 'is empty, so the person types the answer: write the options, or delete the field' }];
  return textWarnings(options, optionNames, path, {
    empty: 'has no text and is not offered',
    same: (first) => `has the same text as option ${first}: the answer does not say which of them was chosen`,
  });
}

const asksForSeveral = (question: JsonObject): boolean =>
  /\b(?:all|any) (?:that|which) apply\b/i.test(textOf(question, questionNames) ?? '');

type Messages = { empty: string; same(first: number): string };

/** Questions or options that have no text, or that of another. */
function textWarnings(
  list: readonly JsonValue[],
  names: readonly string[],
  path: string,
  { empty, same }: Messages,
): ErrorDetail[] {
  const texts = list.map((each) => {
    const text = isJsonObject(each) ? textOf(each, names) : each;
    return isFilledText(text) || typeof text === 'number' ? String(text).trim().toLowerCase() : '';
  });
  return texts.flatMap((text, index) => {
    const at = `${path}/${index}`;
    if (text === '') return [{ path: at, message: empty }];
    const first = texts.indexOf(text);
    return first === index ? [] : [{ path: at, message: same(first + 1) }];
  });
}

const keyNames = namesOf(question.fields, 'key');
const questionNames = namesOf(question.fields, 'text');
const optionNames = namesOf(option.fields, 'text');
