import { catalogues } from '../../lib/web/words/words.ts';

/**
 * Dates that do not exist, and dates with a weekday that they do not have.
 * @param language of the text. `null` if it is not known
 */
export function dateReasons(text: string, language: string | null): string[] {
  const plain = westernDigits(text.replaceAll(/\{\{[^{}]*\}\}/g, ' x '));
  if (!/\d/.test(plain)) return [];
  const languages = language === null ? Object.keys(catalogues) : [language];
  return [...new Set(languages.flatMap((each) => datesIn(plain, each).flatMap(reasonsOf)))];
}

type Reading = { day: number; month: number; year: number };
/**
 * `readings`: two if the order of the day and the month is not known. `weekday`: what the text says, Sunday is 0. `isEnd`:
 * true if the text says that something ends with the date.
 */
type FoundDate = { written: string; readings: Reading[]; weekday: number | undefined; isEnd: boolean };

function reasonsOf({ written, readings, weekday, isEnd }: FoundDate): string[] {
  if (!readings.some(isPlausible)) return [];
  const days = readings.flatMap((each) => dayOf(each) ?? []);
  if (days.length === 0) return [`has \`${written}\`, a day that does not exist: check the date`];
  const isPast = isEnd && days.every((day) => day.getTime() + 86_400_000 < Date.now());
  if (isPast) return [`has \`${written}\`, which is past: check the date`];
  if (weekday === undefined || days.some((day) => day.getUTCDay() === weekday)) return [];
  return [`has \`${written}\`, but this day is a ${englishDay.format(days[0])}: check the date`];
}

const englishDay = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Other numbers are probably no date. */
const isPlausible = ({ day, month, year }: Reading): boolean =>
  day >= 1 && day <= 31 && month >= 1 && month <= 12 && year >= 1900 && year < 2100;

/** `undefined` if there is no such day. */
function dayOf({ day, month, year }: Reading): Date | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

/** A year with a February 29, for dates without a year. */
const anyYear = 2028;

function datesIn(text: string, language: string): FoundDate[] {
  const { inWords, months, weekdays } = patternsFor(language);
  const words = [...text.matchAll(inWords)].map(({ 0: written, index, groups = {} }) => {
    const isRange = rangeAfter.test(text.slice(index + written.length));
    const { weekday, day = groups.dayAfter, month = groups.monthBefore, year } = groups;
    const reading = { day: Number(day), month: months.get(month!.toLowerCase())!, year: Number(year ?? anyYear) };
    return {
      written: written.trim(),
      readings: [reading],
      isEnd: year !== undefined && endBefore.test(text.slice(0, index)),
      weekday: year === undefined || isRange ? undefined : weekdays.get(weekday?.toLowerCase() ?? ''),
    };
  });
  const numbers = [...text.matchAll(numeric)].map(
    ({ 0: written, 1: year, 2: month, 3: day, 4: first, 5: second, 6: last, index }) => ({
      written,
      weekday: undefined,
      isEnd: endBefore.test(text.slice(0, index)),
      readings: year
        ? [{ day: Number(day), month: Number(month), year: Number(year) }]
        : [
            { day: Number(first), month: Number(second), year: Number(last) },
            { day: Number(second), month: Number(first), year: Number(last) },
          ],
    }),
  );
  return [...words, ...numbers];
}

const endBefore = /(?:^|\s)(?:until|through|by|before|bis|bis zum|hasta|hasta el|jusqu['’]au|do|až do|حتى)\s*$/iu;

/** The weekday before a range can be its last, as in `Monday to Friday, 1 December 2026 to 31 January 2027`. */
const rangeAfter = /^\s?(?:[-–—]|to|until|through|bis|až|do|al?|hasta|au|jusqu['’]au|إلى|حتى)\s?\d/iu;

const numeric =
  /(?<![\d.,/-])(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})(?:\/|\.\s?)(\d{1,2})(?:\/|\.\s?)(\d{4}))(?![\d/-]|[.,]\d)/g;

type DatePatterns = { inWords: RegExp; months: ReadonlyMap<string, number>; weekdays: ReadonlyMap<string, number> };

/** By language, because a formatter is slow to make. */
const patterns = new Map<string, DatePatterns>();

function patternsFor(language: string): DatePatterns {
  const made = patterns.get(language) ?? makePatterns(language);
  patterns.set(language, made);
  return made;
}

function makePatterns(language: string): DatePatterns {
  const months = new Map(
    Array.from({ length: 12 }, (_, month) =>
      namesOfMonth(language, month).map((name) => [name, month + 1] as const),
    ).flat(),
  );
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', calendar: 'gregory', timeZone: 'UTC' });
  // 4 January 2026 is a Sunday.
  const weekdays = new Map(
    Array.from({ length: 7 }, (_, day) => [format.format(Date.UTC(2026, 0, 4 + day)).toLowerCase(), day] as const),
  );
  const weekday = `(?:(?<weekday>${[...weekdays.keys()].join('|')})[,،]?\\s+(?:(?:the|den|dem|el|le|dne)\\s)?)?`;
  const name = [...months.keys()].join('|');
  const year = '(?:,?\\s(?:del? |of )?(?<year>\\d{4})(?!\\d))?';
  const dayFirst = `(?<day>\\d{1,2})\\.?(?:st|nd|rd|th|er|º)?\\s?(?:de |d['’]|of )?(?<month>${name})(?!\\p{L})`;
  const monthFirst = `(?<!\\p{L}|\\b(?:in|since|during|this|last|next|every)\\s)(?<monthBefore>${name})\\s(?<dayAfter>\\d{1,2})(?:st|nd|rd|th)?(?![.,:]?\\d|%)`;
  const isEnglish = new Intl.Locale(language).language === 'en';
  const date = isEnglish ? `(?:${dayFirst}|${monthFirst})` : dayFirst;
  return { months, weekdays, inWords: new RegExp(`(?<![\\p{L}\\d.,/:$€£-])${weekday}${date}${year}`, 'giu') };
}

/** The names of a month, alone and in a date, which differ in Czech. */
function namesOfMonth(language: string, month: number): string[] {
  const day = Date.UTC(2026, month, 15);
  // Some languages have another calendar by default.
  const common = { month: 'long', calendar: 'gregory', timeZone: 'UTC' } as const;
  const inDate = new Intl.DateTimeFormat(language, { ...common, day: 'numeric' }).formatToParts(day);
  const names = [
    new Intl.DateTimeFormat(language, common).format(day),
    inDate.find(({ type }) => type === 'month')?.value ?? '',
  ];
  return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => /^\p{L}{3,}$/u.test(name));
}

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
const westernDigits = (text: string): string =>
  text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('٪', '%')
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')
    .replaceAll(/[\u061c\u200e\u200f\u2066-\u2069]/g, '');
