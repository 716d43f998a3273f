import { readFileSync } from 'node:fs';
import { type JsonValue, MalformedJson, parseJson } from '../../lib/domain/json.ts';
import { jsonErrorPosition } from '../../lib/domain/json-position.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { failure } from './failure.ts';
import { isUtf16, jsonMistake, shownPlace } from './json-mistake.ts';
import { repeatedKeys } from './repeated-keys.ts';

/** A JSON document, with a warning for each key that is written twice in an object. */
export type DocumentFile = { document: JsonValue; repeated: ErrorDetail[] };

/**
 * The JSON document in a file, or in standard input for `-`. If it is not JSON, the error shows the line.
 * @throws AdminFailure `invalid_arguments` when it cannot be read, `invalid_request` when it is not JSON
 */
export const documentFile = (file: string): DocumentFile => readFile(file, shownPlace);

function readFile(file: string, show: typeof shownPlace | undefined): DocumentFile {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw failure('invalid_arguments', `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    parseJson(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const at = jsonErrorPosition(text);
    const where = at ? `, at line ${at.line}, column ${at.column}. ${jsonMistake(text, at)}` : '';
    const line = at && show && !isUtf16(text) ? `:\n${show(text, at)}` : '';
    throw failure('invalid_request', `${file} is not a JSON document: ${error.message}${where}${line}`);
  }
  // No number in these documents needs more digits than a JavaScript number has.
  return { document: JSON.parse(text), repeated: repeatedKeys(text) };
}

/** The same without the warnings, for documents that no person writes. Its lines can be secret, so no error shows one. */
export const documentOf = (file: string): JsonValue => readFile(file, undefined).document;
