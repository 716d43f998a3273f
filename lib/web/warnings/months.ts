import { westernDigits } from './amounts.ts';

/** The month of a date in words that differs, if each text has exactly one. @param own the language of the text */
export function monthDifferences(text: string, translation: string, own: string | null, language: string): string[] {
  const [months, others] = [monthsIn(text, own ?? 'en'), monthsIn(translation, language)];
  const [[month, name] = [], [otherMonth, otherName] = []] = [[...months][0], [...others][0]];
  if (months.size !== 1 || others.size !== 1 || month === otherMonth) return [];
  return [`has another month than the text: ${otherName} in place of ${name}`];
}

/** The months of dates, each as it is written. */
function monthsIn(text: string, language: string): Map<number, string> {
  const plain = westernDigits(text);
  if (!/\d/.test(plain)) return new Map();
  const known = patterns.get(language) ?? patternsOf(language);
  patterns.set(language, known);
  return new Map(known.flatMap(({ month, name, beside }) => (beside.test(plain) ? [[month, name] as const] : [])));
}

type MonthPattern = { month: number; name: string; beside: RegExp };

/** By language, because a formatter is slow to make. */
const patterns = new Map<string, MonthPattern[]>();

/** Only beside a number and with its capital letter, because May and March are words too. */
const patternsOf = (language: string): MonthPattern[] =>
  monthNames(language).map(([month, name]) => {
    const written = `[${name[0]}${name[0]!.toLocaleUpperCase(language)}]${name.slice(1)}`;
    const before = `\\d\\.?(?:st|nd|rd|th|er|º)?\\s?(?:de |d['’]|of )?${written}(?!\\p{L})`;
    const after = `(?<!\\p{L})${written},?\\s(?:del? |of )?\\d`;
    return { month, name, beside: new RegExp(`${before}|${after}`, 'u') };
  });

/** The names of the months of a language, alone and in a date, which differ in Czech. */
export const monthNames = (language: string): [month: number, name: string][] =>
  Array.from({ length: 12 }, (_, month) => {
    const day = new Date(Date.UTC(2026, month, 15));
    // Some languages have another calendar by default.
    const common = { month: 'long', calendar: 'gregory', timeZone: 'UTC' } as const;
    const alone = new Intl.DateTimeFormat(language, common).format(day);
    const inDate = new Intl.DateTimeFormat(language, { ...common, day: 'numeric' })
      .formatToParts(day)
      .find(({ type }) => type === 'month')?.value;
    return [...new Set([alone, inDate ?? alone])]
      .filter((name) => /^\p{L}{3,}$/u.test(name))
      .map((name): [number, string] => [month, name]);
  }).flat();
