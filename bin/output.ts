import { fstatSync } from 'node:fs';

/** Everything that a command prints goes through this file, because much of it was written by others. */

/** Control characters, and marks that change the direction of a text. A terminal obeys them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const breaks = /[\t\n]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text with escapes that a terminal shows and does not obey. In a string of JSON, they mean the same characters. */
export const printable = (text: string): string => text.replace(obeyed, escaped);

/** The same for a value within a line: it cannot begin another one. */
export const inLine = (value: string): string => printable(value).replace(breaks, escaped);

/** The value as one word of a shell. */
export const shellWord = (value: string): string =>
  /^[\w.:/@%+,-]+$/.test(value) ? value : `'${inLine(value).replaceAll("'", "'\\''")}'`;

/** Prints a result on standard output. */
export const print = (text: string): void => console.log(printable(text));

/** Prints progress or an error on standard error, because standard output has only the result. */
export const say = (text: string): void => console.error(printable(text));

/** Prints the value as one line of JSON. A generator is printed as an array, value by value, so that it is never in memory as a whole. */
export async function printJson(value: unknown): Promise<void> {
  if (!isGenerator(value)) {
    print(JSON.stringify(value));
    return;
  }
  let separator = '[';
  for await (const each of value) {
    await write(`${separator}${JSON.stringify(each)}`);
    separator = ',\n';
  }
  await write(separator === '[' ? '[]\n' : ']\n');
}

const isGenerator = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/**
 * Prints lines of CSV. A file begins with a byte order mark, because Excel otherwise reads it in the encoding of the
 * country. A program that reads a pipe gets none.
 */
export async function writeCsv(lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const { fd, isTTY } = process.stdout;
  if (!isTTY && fd !== undefined && fstatSync(fd).isFile()) await sent('\ufeff');
  for await (const line of lines) await writeData(line);
}

/** Prints data as it is, unless a terminal would obey what is in it. */
const writeData = (text: string): Promise<void> => (process.stdout.isTTY ? write(text) : sent(text));

/** Waits if the reader of a pipe is slow, so that unread output does not fill the memory. */
export const write = (text: string): Promise<void> => sent(printable(text));

async function sent(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}
