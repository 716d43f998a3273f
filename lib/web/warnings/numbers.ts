import { type FoundNumber, hasSamePower, numbersIn, westernDigits } from './amounts.ts';

/**
 * Numbers and numeric dates that differ between a text and its translation. As with amounts, each side must have one that
 * is nowhere in the other, because a translation can write a number in words. Numbers of one digit, times and phone
 * numbers are not compared: 5 PM is 17 Uhr, and each language can have its own phone number.
 */
export function numberDifferences(text: string, translation: string): string[] {
  const [own, other] = [comparedIn(text), comparedIn(translation)];
  const missing = onlyIn(own, other);
  const added = onlyIn(other, own);
  if (missing === undefined || added === undefined) return [];
  return [`has another number than the text: ${added} in place of ${missing}`];
}

const onlyIn = (own: readonly FoundNumber[], other: readonly FoundNumber[]): string | undefined =>
  own.find(
    (number) =>
      !number.isAmount &&
      number.length > 1 &&
      !other.some((each) => each.digits === number.digits && hasSamePower(each, number)),
  )?.written;

const date = /(?<![\d.,/-])(\d{1,4})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-]|[.,]\d)/g;
const phone = /\+\d[\d ().-]*\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/g;
const time =
  /\d{1,2}[:.]\d{2}(?=\s*(?:[ap]\.?\s?m\b|uhr|h\b|hod))|\d{1,2}:\d{2}|\d{1,2}(?=\s*(?:[ap]\.?\s?m\b|uhr|h(?:\d{2})?\b|hod|o['’]clock))/gi;

/** The numbers of a text. The day, the month and the year of a numeric date are compared one by one, in any order. */
function comparedIn(text: string): FoundNumber[] {
  const plain = westernDigits(text).replaceAll(phone, ' ');
  const dates = [...plain.matchAll(date)].flatMap(([written, first = '', , second = '', third = '']) =>
    [first, second, third.length === 2 && first.length < 3 ? `20${third}` : third].flatMap((part) =>
      numbersIn(part).map((found) => ({ ...found, written, length: String(Number(part)).length })),
    ),
  );
  return [...dates, ...numbersIn(plain.replaceAll(date, ' ').replaceAll(time, ' '))];
}
