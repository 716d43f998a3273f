/** Where a beginning of JSON ends. */
type State = {
  /** True inside of a text or a name. */
  isInText: boolean;
  /** The index at which the last text or name begins. */
  textStart: number;
  /** Brackets that are not closed, each with its index. */
  open: { bracket: string; at: number }[];
  /** The last character that is not a space: `"` at the end of a text. */
  last: string;
  /** True after the name of a member. */
  isAfterName: boolean;
};

function stateOf(text: string): State {
  const state: State = { isInText: false, textStart: -1, open: [], last: '', isAfterName: false };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (state.isInText) {
      if (character === '\\') at++;
      else if (character === '"') state.isInText = false;
    } else if (character === '"') {
      state.isAfterName = state.open.at(-1)?.bracket === '{' && /[{,]/.test(state.last);
      Object.assign(state, { isInText: true, textStart: at, last: '"' });
    } else if (/\S/.test(character)) {
      if (/[{[]/.test(character)) state.open.push({ bracket: character, at });
      if (/[}\]]/.test(character)) state.open.pop();
      Object.assign(state, { last: character, isAfterName: false });
    }
  }
  return state;
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const typographic = /[“”„‟«»‘’‚]/;

type Place = { line: number; column: number };

/**
 * Whether the bytes of UTF-16, with or without a mark at the beginning, were read as UTF-8: each character of ASCII has
 * a null beside it.
 */
export const isUtf16 = (text: string): boolean => /^\ufffd{0,2}(?:[^\0]\0|\0[^\0])/.test(text);

/** What to change in a text that is not JSON. @param place of the first character that JSON cannot have there */
export function jsonMistake(text: string, { line, column }: Place): string {
  if (isUtf16(text)) return 'The file is in UTF-16: save it as UTF-8';
  const at =
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length +
    (line > 1 ? 1 : 0) +
    column -
    1;
  const before = text.slice(0, at);
  const state = stateOf(before);
  const lineOf = (index: number) => `line ${text.slice(0, index).split('\n').length}`;
  if (state.isInText) return mistakeInText(text, at, lineOf(state.textStart));
  const innermost = state.open.at(-1);
  const unclosed =
    innermost &&
    `A \`${closing[innermost.bracket]}\` is missing for the \`${innermost.bracket}\` in ${lineOf(innermost.at)}`;
  if (at >= text.length) return text.trim() === '' ? 'The file is empty' : (unclosed ?? 'The end is missing');
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const quoted = state.last === '"' ? before.slice(state.textStart) : '';
  if (typographic.test(quoted)) return `The text before it has a typographic quotation mark: write "`;
  return (
    mistakeOfBracket(character, state, unclosed) ??
    mistakeOfValue(character, text.slice(at), state, before.endsWith('"')) ??
    `The character \`${character}\` is not expected here`
  );
}

function mistakeInText(text: string, at: number, begin: string): string {
  if (at >= text.length) return `A \`"\` is missing at the end of the text in ${begin}`;
  if (/[\r\n]/.test(text[at]!))
    return 'A `"` is missing at the end of the line, or write \\n for a line break inside of a text';
  if (text[at] === '\t') return 'Write \\t for a tab inside of a text';
  return /\\[^\\]?$/.test(text.slice(0, at)) || /\\u[\da-f]{0,3}$/i.test(text.slice(0, at))
    ? 'Write \\\\ for a backslash'
    : 'The text has a character that JSON does not allow: delete it';
}

function mistakeOfBracket(character: string, { last, open }: State, unclosed: string | undefined): string | undefined {
  if (character === ',') {
    if (last === ',') return 'There is a comma too many';
    return /[[{:]/.test(last) ? 'A value is missing before the comma' : undefined;
  }
  if (!/[}\]]/.test(character)) return undefined;
  if (open.length === 0) return `There is a \`${character}\` too many`;
  if (last === ',') return `Delete the comma before the \`${character}\``;
  if (last === ':') return 'A value is missing after the colon';
  return closing[open.at(-1)!.bracket] === character ? 'The value before it is not complete' : unclosed;
}

function mistakeOfValue(character: string, rest: string, { last, isAfterName, open }: State, isAdjacent: boolean) {
  const isAfterValue = /["\w}\]]/.test(last);
  if (open.length === 0 && !/[}\]]/.test(last)) return 'A JSON document begins with `{`';
  if (/^(?:\/\/|\/\*|#)/.test(rest)) return 'JSON has no comments: delete it';
  if (character === "'" || typographic.test(character)) return `Write " in place of ${character}`;
  if (character === ';') return 'Write a comma in place of the semicolon';
  if (isAfterName) return character === '=' ? 'Write a colon in place of the `=`' : 'A colon is missing after the name';
  if (isAdjacent && /[\p{L}\p{N}]/u.test(character)) return 'Write \\" for a quotation mark inside of a text';
  if (last === '0' && /\d/.test(character)) return 'A number cannot begin with 0: delete the 0';
  if (isAfterValue && /["{[\d\-tfn]/.test(character)) {
    return open.length === 0 ? 'There is more text after the end of the document' : 'A comma is missing before it';
  }
  if (/^(?:true|false|null|none|undefined|nan|yes|no)\b/i.test(rest)) return 'Write true, false or null';
  if (character === '.') return 'Write a digit before the point';
  return /\p{L}/u.test(character) ? 'Write " around names and texts' : undefined;
}

/** Characters of a line that are shown before and after a place. */
const shownAround = 60;

/** The line of a place, with a `^` below it. */
export function shownPlace(text: string, { line, column }: Place): string {
  const whole = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '');
  const start = Math.max(0, column - 1 - shownAround);
  const part = whole.slice(start, column - 1 + shownAround).replaceAll('\t', ' ');
  const dots = start > 0 ? '…' : '';
  return `  ${dots}${part}${whole.length > start + part.length ? '…' : ''}\n  ${' '.repeat(dots.length + column - 1 - start)}^`;
}
