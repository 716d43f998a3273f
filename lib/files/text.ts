import { isUtf8 } from 'node:buffer';

export type Decoded = {
  text: string;
  /** True if the bytes are not UTF-8. They are then read as Latin-1, which is their probable encoding. */
  isForeign: boolean;
};

export function decoded(bytes: Buffer): Decoded {
  const isForeign = !isUtf8(bytes);
  return { text: isForeign ? bytes.toString('latin1') : bytes.toString('utf8'), isForeign };
}

/** True if this part of a text, which was read as Latin-1, is not UTF-8. */
export const holdsForeignBytes = (text: string): boolean => !isUtf8(Buffer.from(text, 'latin1'));

export const foreignReason = 'is not UTF-8; it is shown as Latin-1, its probable encoding';
export const nulReason = 'contains a NUL character, which is not allowed';
