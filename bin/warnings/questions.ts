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
  return [
    ...textWarnings(questions, questionNames, path, 'question'),
    ...questions.flatMap((each, index) => {
      const options = isJsonObject(each) ? each.options : undefined;
      if (!isJsonObject(each) || !Array.isArray(options)) return [];
      const isOne = each.multiple !== true && asksForSeveral(each);
      const message = 'takes one answer only: write `"multiple": true` if several can apply';
      return [
        ...(isOne ? [{ path: `${path}/${index}`, message }] : []),
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
    if (text !== '' && first === index) return [];
    const message = text === '' ? 'has no text and is not shown' : `has the same text as ${what} ${first + 1}`;
    return [{ path: `${path}/${index}`, message }];
  });
}

const questionNames = namesOf(question.fields, 'text');
const optionNames = namesOf(option.fields, 'text');
