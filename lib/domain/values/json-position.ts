/**
 * The line and the column at which a text stops being JSON, both from 1; `undefined` if it is JSON. The messages of
 * `JSON.parse` name a position only for some errors.
 */
export function jsonErrorPosition(text: string): { line: number; column: number } | undefined {
  if (isJson(text)) return undefined;
  // The shortest beginning of the text that no continuation can make JSON ends with the wrong character.
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (canBecomeJson(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  const before = text.slice(0, valid).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** True if the text is JSON or the beginning of JSON: the parser only misses what follows. */
function canBecomeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    if (message.startsWith('Unexpected end') || message.startsWith('Unterminated string')) return true;
    return position !== undefined && Number(position) >= text.length;
  }
}
