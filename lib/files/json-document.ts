import { isJsonObject, type JsonValue, MalformedJson, parseJson } from '../domain/json.ts';
import { FileRefused } from './bytes.ts';
import { type FileKind, typeOf } from './kinds.ts';

/**
 * Refuses a file that is one JSON document: an object over several lines, or an object that contains the records as an
 * array. As NDJSON, each of its lines would be a rejected row.
 * @param head the beginning of a file that would be read as NDJSON
 * @throws FileRefused
 */
export function refuseDocument(head: Buffer, kind: FileKind): void {
  const lines = head
    .toString('utf8')
    .trim()
    .split(/\r\n|[\r\n]/);
  const isDocument = lines.length === 1 ? holdsRecords(lines[0]!, kind) : isSpread(lines);
  if (!isDocument) return;
  throw new FileRefused('The file is one JSON document. Write one JSON object per line instead (NDJSON).');
}

/**
 * True if the first line begins an object that it does not end. If it does not end with a bracket, it can also be an
 * invalid row: then another line begins an object too.
 */
function isSpread(lines: readonly string[]): boolean {
  const [first = ''] = lines;
  const outsideStrings = first.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  const count = (brackets: RegExp) => outsideStrings.match(brackets)?.length ?? 0;
  if (!first.startsWith('{') || count(/[{[]/g) <= count(/[}\]]/g)) return false;
  return /[{[]\s*$/.test(first) || !lines.slice(1).some((line) => line.startsWith('{'));
}

/** True for `{"accounts": [{…}]}`: no field of a record, but an array of objects. */
function holdsRecords(line: string, kind: FileKind): boolean {
  const value = parsed(line);
  if (!isJsonObject(value)) return false;
  const isRecord = Object.keys(value).some((name) => typeOf(kind, name) !== undefined || name.includes('.'));
  return !isRecord && Object.values(value).some((each) => Array.isArray(each) && each.some(isJsonObject));
}

/** `null` if the line is not JSON. */
function parsed(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof MalformedJson) return null;
    throw error;
  }
}
