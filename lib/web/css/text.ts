/** The tokens that determine where a statement of a style sheet ends (CSS Syntax, section 4). */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n\r\f])*(?<closed>")?|'(?:\\[\s\S]|[^'\\\n\r\f])*(?<shut>')?|\\[\s\S]?|[{};]|[^"'\\{};/]+|\//g;

/**
 * The statements of a style sheet, without comments and line breaks. A statement with a string that does not end in its
 * line is removed. Blocks that are still open at the end are closed, as browsers do.
 */
export function statementsOf(css: string, drop?: (text: string) => void): string[] {
  const statements: string[] = [];
  let text = '';
  let depth = 0;
  let isBroken = false;
  const flush = () => {
    const closed = text.trim() + '}'.repeat(depth);
    if (!isBroken && closed !== '') statements.push(closed);
    if (isBroken) drop?.(closed);
    text = '';
    depth = 0;
    isBroken = false;
  };
  for (const [part, ...match] of css.matchAll(token)) {
    if (part.startsWith('/*')) {
      text += ' ';
      if (!isClosedComment(part)) drop?.(part);
      continue;
    }
    const isString = part.startsWith('"') || part.startsWith("'");
    if (isString && match[0] === undefined && match[1] === undefined) isBroken = true;
    if (part === '}' && depth === 0) continue;
    text += part.replaceAll(controls, ' ');
    if (part === '{') depth++;
    if (part === '}') depth--;
    if (depth === 0 && (part === '}' || part === ';')) flush();
  }
  flush();
  return statements;
}

const isClosedComment = (part: string): boolean => part.length >= 4 && part.endsWith('*/');

/** The style sheet without its comments. */
export const withoutComments = (css: string): string =>
  css.replaceAll(token, (part: string) => (part.startsWith('/*') ? ' ' : part));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
const controls = /[\u0000-\u001f\u007f]/g;

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/**
 * True if the text is a self-contained value for every parser: its strings and brackets are closed, and nothing in it
 * ends a declaration, a rule or the style element.
 */
export function isSound(text: string): boolean {
  if (/<[/!]/.test(text) || controls.test(text)) return false;
  const open: string[] = [];
  for (const [part, closed, shut] of text.matchAll(soundToken)) {
    if (part.startsWith('"') || part.startsWith("'")) {
      if (closed === undefined && shut === undefined) return false;
    } else if (part === '\\' || part === '{' || part === '}' || part === ';' || part === '/*') return false;
    else if (part in pairs) open.push(pairs[part]!);
    else if ((part === ')' || part === ']') && open.pop() !== part) return false;
  }
  return open.length === 0;
}

const soundToken =
  /"(?:\\[\s\S]|[^"\\])*(")?|'(?:\\[\s\S]|[^'\\])*(')?|\\[\s\S]?|\/\*|[{};()[\]]|[^"'\\{};()[\]/]+|\//g;

/** The text as a browser reads it: with escapes resolved, in lowercase. */
export const decoded = (text: string): string =>
  text
    .replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, code?: string, char?: string) =>
      code === undefined ? (char ?? '') : characterOf(Number.parseInt(code, 16)),
    )
    .toLowerCase();

const characterOf = (code: number): string => (code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));

/** Everything in CSS that loads a resource or runs code. */
const loading = /(?:url|src|image|image-set|cross-fade|element|paint|expression|binding)\s*\(|@import|progid:/;

/** Images that are data URLs in the style sheet. */
const imageData = /url\(\s*(["']?)data:image\/(?:png|gif|jpeg|webp|avif);base64,[a-z0-9+/=]+\1\s*\)/gi;

/** True if the text loads no resource. */
export const loadsNothing = (text: string): boolean => !loading.test(decoded(text));

/** The text with `none` instead of each data URL image. These are allowed, but contain a semicolon. */
export const withoutImages = (text: string): string => text.replaceAll(imageData, 'none');

/** The own styles of the pages, which are written in lines, in one line. */
export const inOneLine = (css: string): string => css.replaceAll('\n', '');
