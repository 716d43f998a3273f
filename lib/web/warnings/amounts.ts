/** Digits with separators between them: those of thousands, also spaces, and of decimals. */
const number = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*`;
const sign = String.raw`[\p{Sc}%]`;
const numbers = new RegExp(`(${sign}?)[ \\u00a0\\u202f]?(${number})[ \\u00a0\\u202f]?(${sign}?)`, 'gu');

type Found = { written: string; digits: string; isAmount: boolean };

/**
 * Amounts with the sign of a currency, and percentages, that differ between a text and its translation. Other numbers can
 * differ rightly: the hours of a clock, or a number in words. Only digits are compared, without separators and without
 * zeros at both ends, because the same amount is written as 1,5 or 1.50, 31.400, 31,400 or 31 400. So it is silent about
 * 10 and 100. Each side must have an amount that is nowhere in the other.
 */
export function amountDifferences(text: string, translation: string): string[] {
  const [own, other] = [numbersIn(text), numbersIn(translation)];
  const missing = amountsOnlyIn(own, other);
  const added = amountsOnlyIn(other, own);
  if (missing === undefined || added === undefined) return [];
  return [`has another amount than the text: ${added} in place of ${missing}`];
}

const amountsOnlyIn = (own: readonly Found[], other: readonly Found[]): string | undefined =>
  own.find(({ digits, isAmount }) => isAmount && !other.some((each) => each.digits === digits))?.written;

function numbersIn(text: string): Found[] {
  const plain = westernDigits(text.replaceAll(/\{\{[^{}]*\}\}/g, ' x '));
  // A fraction such as ½ is no digit, so its number cannot be compared.
  if (/\p{No}/u.test(plain)) return [];
  return [...plain.matchAll(numbers)].map(([whole, before, digits = '', after]) => ({
    written: whole.trim(),
    digits: digits.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, ''),
    isAmount: before !== '' || after !== '',
  }));
}

/** With the digits and separators of Arabic and Persian as those of English, and without marks of direction. */
const westernDigits = (text: string): string =>
  text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('٪', '%')
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')
    .replaceAll(/[\u061c\u200e\u200f\u2066-\u2069]/g, '');
