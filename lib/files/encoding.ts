import { isUtf8 } from 'node:buffer';
import { FileRefused } from './bytes.ts';

/** How a file begins: its encoding, `undefined` for UTF-8, and the length of its byte order mark. */
export function encodingOf(head: Buffer, declared: string | undefined): { encoding?: string; mark: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { mark: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', mark: 2 };
  return { ...(declared === undefined || declared === 'utf-8' ? {} : { encoding: declared }), mark: 0 };
}

/** The name of an encoding by one of its labels (Encoding standard), or `undefined`. */
export function encodingNamed(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The text of the bytes as UTF-8, without a byte order mark. What the encoding does not have becomes U+FFFD. */
export async function* transcoded(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const part of bytes) {
    const text = decoder.decode(part, { stream: true });
    if (text !== '') yield Buffer.from(text);
  }
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
}

/** The last character may be cut off. */
export function isUtf8Start(head: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The text of a small file that must be whole: UTF-8, or UTF-16 with a byte order mark.
 * @throws FileRefused; nobody can tell what other bytes mean
 */
export function textOf(bytes: Buffer): string {
  const { encoding, mark } = encodingOf(bytes, undefined);
  if (encoding === undefined && !isUtf8(bytes)) {
    const at = bytes.toString('latin1').split('\n').findIndex(holdsForeignBytes);
    throw new FileRefused(`Line ${at + 1} is not UTF-8: save the file as UTF-8, in Excel as "CSV UTF-8".`);
  }
  return new TextDecoder(encoding).decode(bytes.subarray(mark));
}

export type Decoded = {
  text: string;
  /** True if the bytes are not UTF-8. The text then has a character for each byte. {@link probableText} is for people. */
  isForeign: boolean;
};

export function decoded(bytes: Buffer): Decoded {
  const isForeign = !isUtf8(bytes);
  return { text: isForeign ? bytes.toString('latin1') : bytes.toString('utf8'), isForeign };
}

const windows1252 = new TextDecoder('windows-1252');

/** True if this part of a text, which has a character for each byte, is not UTF-8. */
export const holdsForeignBytes = (text: string): boolean => !isUtf8(Buffer.from(text, 'latin1'));

/** What bytes that are not UTF-8 probably mean. Those that windows-1252 leaves undefined are shown as `\x81`. */
export function probableText(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return windows1252
    .decode(bytes)
    .replaceAll(/[\u0080-\u009f]/g, (undefinedByte) => `\\x${undefinedByte.charCodeAt(0).toString(16)}`);
}

export const foreignReason =
  'is not UTF-8; it is shown as windows-1252, its probable encoding. If the whole file has another encoding, name it with --encoding';
export const unreadableReason = (encoding: string): string => `has bytes that are not ${encoding}, shown as \ufffd`;
export const nulReason = 'contains a NUL character, which is not allowed';
