/** Digits with separators between them: those of thousands, also spaces, and of decimals. */
const number = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*`;
const sign = String.raw`[\p{Sc}%]`;
const percent = String.raw`(?:per ?cent|prozent|procent|por ?ci?ento|pour ?cent|(?:في|ب) ?ال(?:مئة|مائة))\p{L}*`;
const numbers = new RegExp(`(${sign}?)[ \\u00a0\\u202f]?(${number})(?:[ \\u00a0\\u202f]?(${sign}|${percent}))?`, 'giu');

type FoundNumber = {
  written: string;
  /** Without separators, and without zeros at both ends. */
  digits: string;
  isAmount: boolean;
  /** The power of ten of the first digit, modulo 3. */
  power: number;
};

/**
 * Amounts with the sign of a currency, and percentages, that differ between a text and its translation. Digits are compared
 * without separators and zeros at both ends: the same amount is 1,5 or 1.50, 31.400, 31,400 or 31 400. A factor of ten or
 * a hundred between two amounts is found, of a thousand not: 1,500 can be 1.5. Each side must have an amount of its own.
 */
export function amountDifferences(text: string, translation: string): string[] {
  const [own, other] = [numbersIn(text), numbersIn(translation)];
  const missing = amountsOnlyIn(own, other);
  const added = amountsOnlyIn(other, own);
  if (missing === undefined || added === undefined) return [];
  return [`has another amount than the text: ${added} in place of ${missing}`];
}

const amountsOnlyIn = (own: readonly FoundNumber[], other: readonly FoundNumber[]): string | undefined =>
  own.find((amount) => amount.isAmount && !other.some((each) => isSame(amount, each)))?.written;

const isSame = (amount: FoundNumber, other: FoundNumber): boolean =>
  amount.digits === other.digits && (!other.isAmount || amount.power === other.power);

/** All numbers of a text, except those in placeholders. */
function numbersIn(text: string): FoundNumber[] {
  const plain = westernDigits(text.replaceAll(/\{\{[^{}]*\}\}/g, ' x '));
  // A fraction such as ½ is no digit, so its number cannot be compared.
  if (/\p{No}/u.test(plain)) return [];
  return [...plain.matchAll(numbers)].map(([whole, before = '', digits = '', after = '']) => ({
    written: whole.trim(),
    digits: digits.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, ''),
    isAmount: before !== '' || after !== '',
    power: powerOf(digits, before === '¢' || after === '¢'),
  }));
}

/** Modulo 3, so that three digits after a separator can be decimals or not. */
function powerOf(written: string, isCents: boolean): number {
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}|\d{4,}))?$/.exec(written) ?? [];
  const digits = (whole + decimals).replaceAll(/\D/g, '');
  const first = digits.search(/[1-9]/);
  const power = digits.length - decimals.length - 1 - Math.max(first, 0) - (isCents ? 2 : 0);
  return ((power % 3) + 3) % 3;
}

/** With the digits and separators of Arabic and Persian as those of English, and without marks of direction. */
export const westernDigits = (text: string): string =>
  text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('٪', '%')
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')
    .replaceAll(/[\u061c\u200e\u200f\u2066-\u2069]/g, '');
