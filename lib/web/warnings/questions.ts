import { option, question } from '../../domain/content/block-types.ts';
import { namesOf } from '../../domain/content/shape.ts';
import { isFilledText, isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { comparable } from './invisible.ts';
import { textOf } from './members.ts';

/** What people cannot answer, or not tell apart, in a survey. @param path of its questions */
export function questionWarnings(questions: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(questions) || questions.length === 0) {
    return [{ path, message: 'has no questions, so the survey asks nothing: write a list of them in [ ]' }];
  }
  const texts = questions.map((each) => comparableValue(isJsonObject(each) ? textOf(each, questionNames) : each));
  const keys = questions.map(keyOf);
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
      ...keyWarnings(keys, index, at),
      ...endWarnings(each, at),
      ...optionWarnings(isJsonObject(each) ? each.options : undefined, `${at}/options`),
    ];
  });
}

/** What the two ends of the scale of a question mean, if both are said. */
export function endsOf(question: JsonValue): string[] {
  if (!isJsonObject(question) || (question.scale ?? null) === null) return [];
  const ends = [question.lowestText, question.highestText].filter(isFilledText);
  return ends.length === 2 ? ends : [];
}

function endWarnings(question: JsonValue, path: string): ErrorDetail[] {
  const [lowest, highest] = endsOf(question);
  if (lowest === undefined || highest === undefined || comparable(lowest) !== comparable(highest)) return [];
  return [{ path: `${path}/highestText`, message: 'is also the `lowestText`: write what the highest number means' }];
}

/** The key of a question, and under which name it is. `undefined` if it has none that is a text. */
function keyOf(question: JsonValue): { name: string; key: string } | undefined {
  const own = isJsonObject(question) ? question : {};
  const name =
    keyNames.find((each) => isFilledText(own[each])) ?? keyNames.find((each) => typeof own[each] === 'string');
  return name === undefined ? undefined : { name, key: (own[name] as string).trim() };
}

/** What other systems cannot use of the key of a question. @param path of the question */
function keyWarnings(keys: readonly ReturnType<typeof keyOf>[], index: number, path: string): ErrorDetail[] {
  const { name, key } = keys[index] ?? {};
  if (name === undefined || key === undefined) return [];
  const at = `${path}/${name}`;
  if (key === '') {
    return [{ path: at, message: 'is empty, so responses do not have it: write a name, or delete the field' }];
  }
  if (/\{\{.*\}\}/s.test(key)) {
    return [{ path: at, message: 'has a placeholder, which is not filled in: write a name that is always the same' }];
  }
  const first = keys.findIndex((each) => each?.key === key);
  const message = `is also the \`${name}\` of question ${first + 1}: write another, so that other systems can tell the answers apart`;
  return first === index ? [] : [{ path: at, message }];
}

function optionWarnings(options: JsonValue | undefined, path: string): ErrorDetail[] {
  if (!Array.isArray(options)) return [];
  if (options.length === 0)
    return [{ path, message: 'is empty, so the person types the answer: write the options, or delete the field' }];
  const texts = options.map((each) => comparableValue(isJsonObject(each) ? textOf(each, optionNames) : each));
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

const comparableValue = <Value>(value: Value): Value | string =>
  typeof value === 'string' || typeof value === 'number' ? comparable(String(value)) : value;

const keyNames = namesOf(question.fields, 'key');
export const questionNames = namesOf(question.fields, 'text');
export const optionNames = namesOf(option.fields, 'text');
