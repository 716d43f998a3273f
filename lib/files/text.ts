import { isUtf8 } from 'node:buffer';

export type Decoded = {
  text: string;
  /** The bytes are no UTF-8, and were read as Latin-1, which they probably are. */
  isForeign: boolean;
};

export function decoded(bytes: Buffer): Decoded {
  const isForeign = !isUtf8(bytes);
  return { text: isForeign ? bytes.toString('latin1') : bytes.toString('utf8'), isForeign };
}

/** Whether this part of a text that was read as Latin-1 is what was no UTF-8 in it. */
export const holdsForeignBytes = (text: string): boolean => !isUtf8(Buffer.from(text, 'latin1'));

export const foreignReason = 'is not UTF-8; it is shown as Latin-1, which it probably is';
export const nulReason = 'holds a NUL character, which no text has';
