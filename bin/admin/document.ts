import { readFileSync } from 'node:fs';
import { type JsonValue, MalformedJson, parseJson } from '../../lib/domain/json.ts';
import { AdminFailure, failure } from './failure.ts';

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
    throw new AdminFailure('invalid_request', [
      { path: '', message: `${file} is not a JSON document: ${error.message}` },
    ]);
  }
}
