import { catalogues } from '../words/words.ts';
import { westernDigits } from './amounts.ts';
import { monthNames } from './months.ts';

/**
 * Dates with a weekday that they do not have, and dates that do not exist.
 * @param language of the text. `null` if it is not known
 */
export function dateReasons(text: string, language: string | null): string[] {
  const plain = westernDigits(text.replaceAll(/\{\{[^{}]*\}\}/g, ' x '));
  if (!/\d/.test(plain)) return [];
  const languages = language === null ? Object.keys(catalogues) : [language];
  const reasons = languages.flatMap((each) => reasonsIn(plain, each));
  return [...new Set(reasons)];
}

const reasonsIn = (text: string, language: string): string[] =>
  datesIn(text, language).flatMap((date) => {
    const days = date.readings.flatMap((each) => dayOf(each) ?? []);
    if (days.length === 0) return [`has \`${date.written}\`, a day that does not exist: check the date`];
    const said = date.hasYear ? weekdayAt(text, date, language) : undefined;
    if (said === undefined || days.some((day) => day.getUTCDay() === said.weekday)) return [];
    return [`has \`${said.written}\`, but this day is a ${englishDay.format(days[0])}: check the date`];
  });

const englishDay = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

type Reading = { day: number; month: number; year: number };
/** `readings`: more than one if the order of the day and the month is not known. */
type FoundDate = { written: string; start: number; end: number; readings: Reading[]; hasYear: boolean };

/** `undefined` if there is no such day. */
function dayOf({ day, month, year }: Reading): Date | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

/** A year with a February 29. */
const anyYear = 2028;

function datesIn(text: string, language: string): FoundDate[] {
  const { dayFirst, monthFirst, months } = patternsFor(language);
  const inWords = (day = '', month = '', year: string | undefined = undefined): Reading[] => [
    { day: Number(day), month: months.get(comparable(month)) ?? 0, year: year === undefined ? anyYear : Number(year) },
  ];
  const found = (pattern: RegExp, read: (...parts: string[]) => Reading[], yearAt: number): FoundDate[] =>
    [...text.matchAll(pattern)].map((match) => ({
      ...{ written: match[0].trim(), start: match.index, end: match.index + match[0].length },
      readings: read(...(match.slice(1) as string[])),
      hasYear: match[yearAt] !== undefined,
    }));
  const all = [
    ...found(dayFirst, inWords, 3),
    ...(monthFirst ? found(monthFirst, (month, day, year) => inWords(day, month, year), 3) : []),
    ...found(numeric, readingsOfNumbers, 4),
    ...found(iso, (year, month, day) => [{ day: Number(day), month: Number(month), year: Number(year) }], 1),
  ];
  return all.filter(
    (each) => each.readings.some(isPlausible) || (each.readings.some(isBeyond) && isSurelyDate(text, each)),
  );
}

/** Of other numbers only some are meant as a date. */
const isPlausible = ({ day, month, year }: Reading): boolean =>
  day >= 1 && day <= 31 && month >= 1 && month <= 12 && year >= 1900 && year < 2100;

/** A day or a month that is a little too large, or the day 0 of a month in words. */
const isBeyond = ({ day, month, year }: Reading): boolean =>
  year >= 2000 && year < 2100 && (month > 12 ? month < 20 && day >= 1 && day <= 31 : isBeyondMonth(day) && month >= 1);

const isBeyondMonth = (day: number): boolean => day === 0 || (day > 31 && day < 40);

/** Whether numbers that are no day cannot be something else, such as a time, a version or the count of `December 0`. */
function isSurelyDate(text: string, { written, start, end, hasYear }: FoundDate): boolean {
  const before = text.slice(0, start);
  if (hasYear) return (/\p{L}/u.test(written) || evenNumbers.test(written)) && !ofNumber.test(before);
  return /^\p{L}/u.test(written) && deadline.test(before) && /^\s*(?:$|[.,;:!?)])/.test(text.slice(end));
}

/** Numbers above 0 with the same sign between them. */
const evenNumbers = /^(?!00?\D)\d+(-|\/|\.\s?)(?!00?\D)\d+\1(?!00?$)\d+$/;
const deadline = /\b(?:by|until|till|on|before|after)\s$/i;
const ofNumber = /(?<!\p{L})(?:no|nr|num|number|ref|reference|account|version|form|č|čj|zl|az)[.:]?\s*#?$|#$/iu;

const numeric = /(?<![\d.,/-])(\d{1,2})(\/|\.\s?)(\d{1,2})(?:\/|\.\s?)(\d{4})(?![\d/-]|[.,]\d)/gu;
const iso = /(?<![\d.,/-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g;

const readingsOfNumbers = (first = '', _separator = '', second = '', year = ''): Reading[] => [
  { day: Number(first), month: Number(second), year: Number(year) },
  { day: Number(second), month: Number(first), year: Number(year) },
];

type DatePatterns = {
  dayFirst: RegExp;
  /** Not set if the language has no dates such as `June 30`. */
  monthFirst: RegExp | undefined;
  months: ReadonlyMap<string, number>;
  weekdays: ReadonlyMap<string, number>;
  weekdayBefore: RegExp;
  weekdayAfter: RegExp;
};

/** By language, because a formatter is slow to make. */
const patterns = new Map<string, DatePatterns>();

function patternsFor(language: string): DatePatterns {
  const made = patterns.get(language) ?? makePatterns(language);
  patterns.set(language, made);
  return made;
}

const year = '(?:,?\\s(?:del? |of )?(\\d{4})(?!\\d))?';

function makePatterns(language: string): DatePatterns {
  const isEnglish = new Intl.Locale(language).language === 'en';
  const months = new Map<string, number>();
  for (const [month, name] of monthNames(language)) {
    months.set(comparable(name), month + 1);
    if (isEnglish) months.set(comparable(name.slice(0, 3)), month + 1);
  }
  const weekdays = weekdaysOf(language, isEnglish);
  const month = `(${choiceOf(months)})(?!\\p{L})\\.?`;
  const weekday = `(${choiceOf(weekdays)})(?!\\p{L})\\.?`;
  const day = '(?<![\\d.,/:$€£-])(\\d{1,2})';
  // In `May 31 June 1` and `1 June 31 July`, a number between two months belongs to one of them.
  const notBetween = isEnglish ? `(?<!(?:${choiceOf(months)})\\.?\\s)` : '';
  return {
    ...{ months, weekdays },
    dayFirst: new RegExp(`${notBetween}${day}\\.?(?:st|nd|rd|th|er|º)?\\s?(?:de |d['’]|of )?${month}${year}`, 'giu'),
    monthFirst: isEnglish
      ? new RegExp(
          `(?<!\\p{L}|\\d(?:st|nd|rd|th)?(?: of)?\\s|\\b(?:in|since|during|this|last|next|every)\\s)${month}\\s(\\d{1,2})(?:st|nd|rd|th)?(?![.,:]?\\d|%)${year}`,
          'giu',
        )
      : undefined,
    weekdayBefore: new RegExp(`(?<!\\p{L})${weekday}[,،]?\\s+(?:(?:the|den|dem|el|le|dne)\\s)?$`, 'iu'),
    weekdayAfter: new RegExp(`^\\s?\\(${weekday}\\)`, 'iu'),
  };
}

/** With several names in one alternative, the longest must be tried first. Letters with and without hamza are the same. */
const choiceOf = (names: ReadonlyMap<string, number>): string =>
  [...names.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll('ا', '[اأإآ]'))
    .join('|');

const comparable = (name: string): string => name.toLowerCase().replaceAll(/[أإآ]/g, 'ا');

/** Forms in sentences, and other names. */
const otherWeekdays: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  cs: { neděli: 0, středu: 3, středy: 3, čtvrtka: 4, pátku: 5, sobotu: 6, soboty: 6 },
  de: { sonnabend: 6 },
};

function weekdaysOf(language: string, isEnglish: boolean): ReadonlyMap<string, number> {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', calendar: 'gregory', timeZone: 'UTC' });
  // 4 January 2026 is a Sunday.
  const names = Array.from({ length: 7 }, (_, day) => comparable(format.format(new Date(Date.UTC(2026, 0, 4 + day)))));
  return new Map([
    ...names.map((name, day): [string, number] => [name, day]),
    ...(isEnglish ? names.map((name, day): [string, number] => [name.slice(0, 3), day]) : []),
    ...Object.entries(otherWeekdays[new Intl.Locale(language).language] ?? {}),
  ]);
}

/** A day after which a range ends, such as the Friday of `Monday to Friday, 1 December 2026 to 31 January 2027`. */
const rangeAfter = /^\s?(?:[-–—]|to|until|through|bis|až|do|al?|hasta|au|jusqu['’]au|إلى|حتى)\s?\d/iu;

function weekdayAt(text: string, { start, end, written }: FoundDate, language: string) {
  const { weekdays, weekdayBefore, weekdayAfter } = patternsFor(language);
  if (rangeAfter.test(text.slice(end))) return undefined;
  const before = weekdayBefore.exec(text.slice(0, start));
  const found = before ?? weekdayAfter.exec(text.slice(end));
  const weekday = weekdays.get(comparable(found?.[1] ?? ''));
  if (!found || weekday === undefined) return undefined;
  return { weekday, written: before ? `${before[0]}${written}` : `${written}${found[0]}` };
}
