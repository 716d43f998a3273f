import { readFileSync, writeFileSync } from 'node:fs';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MalformedJson,
  parseJson,
} from '../../lib/domain/values/json.ts';
import { jsonErrorPosition } from '../../lib/domain/values/json-position.ts';
import { textOf } from '../../lib/files/encoding.ts';
import { failure } from './failure.ts';

/** The text of a file in UTF-8 or UTF-16, without a byte order mark. @throws AdminFailure `invalid_arguments` */
export function textIn(file: string | 0): string {
  try {
    return textOf(readFileSync(file));
  } catch (error) {
    throw failure('invalid_arguments', `${file || '-'} cannot be read: ${(error as Error).message}`);
  }
}

/** Writes a file. @param flag `wx`: the file must not exist @throws AdminFailure `invalid_arguments` */
export function writeTo(file: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  try {
    writeFileSync(file, content, { flag });
  } catch (error) {
    throw cannotBeWritten(file, error);
  }
}

export const cannotBeWritten = (file: string, error: unknown) =>
  failure('invalid_arguments', `${file} cannot be written: ${(error as Error).message}`);

/**
 * The JSON document in a file, or in standard input for `-`.
 * @param show whether the error shows the line. The lines of documents that no person writes can be secret
 * @throws AdminFailure `invalid_arguments` when it cannot be read, `invalid_request` when it is not JSON
 */
export function documentOf(file: string, show = false): JsonValue {
  const text = textIn(file === '-' ? 0 : file);
  let exact: JsonValue;
  try {
    exact = parseJson(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw failure('invalid_request', `${file} is not a JSON document: ${error.message}${placeOf(text, show)}`);
  }
  return withExactRules(JSON.parse(text), exact);
}

/**
 * The document with all digits of the numbers in its rules. No other number in these documents needs more digits than a
 * JavaScript number has.
 */
function withExactRules(document: JsonValue, exact: JsonValue): JsonValue {
  const [templates, digits] = [document, exact].map((each) => (isJsonObject(each) ? each.templates : undefined));
  if (!Array.isArray(templates) || !Array.isArray(digits)) return document;
  for (const [index, template] of templates.entries()) {
    const { targeting_groups: groups } = { ...(digits[index] as JsonObject) };
    if (isJsonObject(template) && groups !== undefined) template.targeting_groups = groups;
  }
  return document;
}

function placeOf(text: string, show: boolean): string {
  if (isUtf16(text)) return '. The file is in UTF-16: save it as UTF-8';
  const at = jsonErrorPosition(text);
  return at ? `, at line ${at.line}, column ${at.column}${show ? `:\n${shownPlace(text, at)}` : ''}` : '';
}

/** Whether UTF-16 was read as UTF-8: each character of ASCII has a null beside it. */
const isUtf16 = (text: string): boolean => /^\ufffd{0,2}(?:[^\0]\0|\0[^\0])/.test(text);

/** Characters of a line that are shown before and after a place. */
const shownAround = 60;

/** The line of a place, with a `^` below it. */
function shownPlace(text: string, { line, column }: { line: number; column: number }): string {
  const whole = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '');
  const start = Math.max(0, column - 1 - shownAround);
  const part = whole.slice(start, column - 1 + shownAround).replaceAll('\t', ' ');
  const dots = start > 0 ? '…' : '';
  return `  ${dots}${part}${whole.length > start + part.length ? '…' : ''}\n  ${' '.repeat(dots.length + column - 1 - start)}^`;
}
