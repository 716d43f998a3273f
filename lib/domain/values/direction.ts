export type Direction = 'ltr' | 'rtl';

/** Letters of Hebrew, Arabic, Syriac, Thaana and N'Ko, with their presentation forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** The direction of the first letter, which a text without a translation can have in place of that of its page. */
export function directionOf(text: string): Direction | undefined {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  return letter === undefined ? undefined : hasRightToLeft(letter) ? 'rtl' : 'ltr';
}

/**
 * A value inside a text. If its direction can differ from that of the text, it is isolated (FSI and PDI of Unicode), so
 * that neither changes the order of the other. An isolation ends at a line break, so each line has its own.
 */
export const isolated = (value: string, direction: Direction): string =>
  direction === 'rtl' || hasRightToLeft(value) ? value.replaceAll(/[^\n]*\S[^\n]*/g, '\u2068$&\u2069') : value;
