import fc from 'fast-check';

const [surrogates, afterSurrogates, last] = [0xd800, 0xe000, 0x10ffff];
const skipped = afterSurrogates - surrogates;

/**
 * Any character of Unicode, like the unit `binary` of fast-check, which takes a second of CPU in each process to list all
 * of them.
 */
export const anyCharacter = fc.nat({ max: last - skipped }).map(
  (index) => String.fromCodePoint(index < surrogates ? index : index + skipped),
  (value) => {
    const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
    const isOne = code !== undefined && value === String.fromCodePoint(code);
    if (!isOne || (code >= surrogates && code < afterSurrogates)) throw new Error('not one character');
    return code < surrogates ? code : code - skipped;
  },
);
