/**
 * The JSON text without escape sequences in the names of members. `JSON.parse` can take a name with one for another name
 * that it has read before: after `{"a":1,"\\":1}`, it takes the quote in `{"a":1,"\"":1}` for a backslash. So one caller
 * could change what another one stores. See https://github.com/nodejs/node/issues/63785, which
 * Node.js 24 and 26 have. Delete this file when the functions run on a version without it: a test then says so.
 *
 * A name that cannot be written without one is replaced by a name that begins with {@link mark}. So is every other name
 * that begins with the mark. {@link restoredName} puts them back.
 * @throws SyntaxError
 */
export function withoutEscapedNames(text: string): string {
  if (!text.includes('\\')) return text;
  /** The first escape sequence of a string, or the beginning of a string that begins with the mark. */
  const candidate = /\\|"~/g;
  let safe = '';
  let copied = 0;
  while (candidate.test(text)) {
    // The last quote before the first escape sequence of a string begins the string.
    const start = text.lastIndexOf('"', candidate.lastIndex - 1);
    let end = candidate.lastIndex - 1;
    do end += text[end] === '\\' ? 2 : 1;
    while (end < text.length && text[end] !== '"');
    candidate.lastIndex = ++end;
    nameEnd.lastIndex = end;
    if (!nameEnd.test(text)) continue;
    safe += text.slice(copied, start) + safeName(JSON.parse(text.slice(start, end)));
    copied = end;
  }
  return safe + text.slice(copied);
}

const mark = '~';
const nameEnd = /\s*:/y;

function safeName(name: string): string {
  const text = JSON.stringify(name);
  const isSafe = !text.includes('\\') && !name.startsWith(mark);
  return isSafe ? text : `"${mark}${Buffer.from(name, 'utf16le').toString('base64url')}"`;
}

/** The name of a member that {@link withoutEscapedNames} replaced. */
export const restoredName = (name: string): string =>
  name.startsWith(mark) ? Buffer.from(name.slice(mark.length), 'base64url').toString('utf16le') : name;
