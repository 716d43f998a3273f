import { readFileSync, statSync } from 'node:fs';
import { jsonErrorPosition } from '../../lib/domain/json-position.ts';

const known = new Map<string, { version: number; value: unknown }>();

/** What `read` makes of the file, made again only when the file has changed. */
export function fresh<Value>(file: string, read: (text: string) => Value): Value {
  const version = statSync(file).mtimeMs;
  const before = known.get(file);
  if (before?.version === version) return before.value as Value;
  const value = read(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  known.set(file, { version, value });
  return value;
}

/** Why the text is not JSON. @param error what the parser threw */
export function jsonErrorMessage(text: string, error: unknown): string {
  const at = jsonErrorPosition(text);
  return at ? `The file is not a JSON document: see line ${at.line}, column ${at.column}` : (error as Error).message;
}
