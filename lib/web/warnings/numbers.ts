import { type FoundNumber, hasSamePower, numbersIn, westernDigits } from './amounts.ts';

/**
 * Numbers and numeric dates that differ between a text and its translation. As with amounts, each side must have one that
 * is nowhere in the other, because a translation can write a number in words. Numbers of one digit, times and phone
 * numbers are not compared: 5 PM is 17 Uhr, and each language can have its own phone number.
 */
export function numberDifferences(text: string, translation: string): string[] {
  const hasDates = [text, translation].every((each) => westernDigits(each).search(date) >= 0);
  const [own, other] = [comparedIn(text, hasDates), comparedIn(translation, hasDates)];
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
/** A day and a month without a year, as in `31.12.`, which is no decimal number. */
const dayAndMonth = /(?<![\d.,])(\d{1,2})\.(\d{1,2})\.(?!\d)/g;
const phone = /\+\d[\d ().-]*\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/g;
const timeWords =
  "\\s*(?:[ap]\\.?\\s?m\\b|uhr|h(?:\\d{2})?\\b|hod|horas?\\b|heures?\\b|o['’]clock|صباح|مساء|ظهر|ليل|[صم](?!\\p{L}))";
const time = new RegExp(`\\d{1,2}:\\d{2}|\\d{1,2}(?:\\.\\d{2})?(?=${timeWords})`, 'giu');

/**
 * The numbers of a text. The day, the month and the year of a numeric date are compared one by one, in any order.
 * @param hasDates true if both texts have a numeric date. If only one has, the other can have the month as a word
 */
function comparedIn(text: string, hasDates: boolean): FoundNumber[] {
  const plain = westernDigits(text).replaceAll(phone, ' ');
  const dates = [...plain.matchAll(date)].flatMap(([written, first = '', , second = '', third = '']) =>
    [first, second, third.length === 2 && first.length < 3 ? `20${third}` : third].flatMap((part) =>
      numbersIn(part).map((found) => ({ ...found, written, length: hasDates || Number(part) > 12 ? 2 : 1 })),
    ),
  );
  const rest = plain.replaceAll(date, ' ').replaceAll(dayAndMonth, '$1 $2 ').replaceAll(time, ' ');
  return [...dates, ...numbersIn(rest)];
}
