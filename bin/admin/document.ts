import { readFileSync } from 'node:fs';
import { type JsonValue, MalformedJson, parseJson } from '../../lib/domain/json.ts';
import { failure } from './failure.ts';
import { jsonErrorPosition } from './json-position.ts';

/**
 * The JSON document in a file, or in standard input for `-`.
 * @throws AdminFailure `invalid_arguments` when it cannot be read, `invalid_request` when it is not JSON
 */
export function documentOf(file: string): JsonValue {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw failure('invalid_arguments', `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    parseJson(text);
    // No number in these documents needs more digits than a JavaScript number has.
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const at = jsonErrorPosition(text);
    const where = at ? `, at line ${at.line}, column ${at.column}` : '';
    throw failure('invalid_request', `${file} is not a JSON document: ${error.message}${where}`);
  }
}
