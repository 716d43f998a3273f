import { folded } from '../../../../lib/domain/contacts/directory.ts';

/** What a search for a person compares, as stored or as the directory has it. */
export type FoundBy = 'unique_id' | 'account_number' | 'email' | 'phone' | 'name';
type Values = (field: MatchedField) => string | null;

/** A match, and how good it is: the lowest rank first. */
export type Match = { by: FoundBy; rank: number };

export const nameFields = ['name_first', 'name_last', 'name_suffix'] as const;
export const searchedPhones = ['phone_mobile', 'phone_home', 'phone_work'] as const;
export const matchedFields = [...nameFields, 'email', ...searchedPhones] as const;
export type MatchedField = (typeof matchedFields)[number];

/** Fewer digits are part of too many numbers. */
const minDigits = 4;
/** Fewer digits are a part of a number, such as its last four. */
const wholeDigits = 7;

/** Letters that Unicode does not take apart into a letter and its accent. */
const plain: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Text without case and accents, with single spaces. */
const bare = (text: string): string =>
  folded(text)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[øłđðıßæœþ]/g, (letter) => plain[letter]!)
    .replaceAll(/[\s,]+/g, ' ')
    .trim();

/** The digits of what can be a phone number, if it is whole without a prefix of zeros, which no stored number has. */
function digitsOf(text: string): string | undefined {
  if (!/^[\d\s()+./–-]+$/.test(text)) return undefined;
  const all = text.replaceAll(/\D/g, '');
  const digits = all.length < wholeDigits ? all : all.replace(/^0+/, '');
  return digits.length >= minDigits ? digits : undefined;
}

/** True if the text means what it is equal to. A name or a few digits can also be a part of others' names or numbers. */
export const isKey = (text: string): boolean =>
  text.includes('@') || text.replaceAll(/\D/g, '').length >= wholeDigits || (/\p{L}/u.test(text) && /\d/.test(text));

/**
 * The words of the text, separated by spaces or commas. Digits in groups, such as `(555) 010-0200`, are one word.
 */
export const wordsOf = (text: string): string[] =>
  text.match(/[\d()+./–-]+(?:\s+[\d()+./–-]+)*(?=[\s,]|$)|[^\s,]+/g) ?? [];

/** What the directory can look for itself: a part of an email, or digits. A name is stored with its accents. */
export function searchOf(text: string): string {
  const words = wordsOf(text);
  return words.find((word) => word.includes('@')) ?? words.map(digitsOf).find((digits) => digits !== undefined) ?? '';
}

/** What says more about a person comes later. */
const foundByOrder = ['name', 'email', 'phone', 'account_number'] as const;

/**
 * Compares a person with the text.
 * @param accountWords words of the text that are the numbers of the person's accounts
 */
export type Matcher = (values: Values, accountWords?: readonly string[]) => Match | undefined;

/**
 * Makes the function that compares a person with the text: each of its words is a part of the name or the email, or
 * its digits are a part of a phone number. `undefined` if the text has no letter and too few digits.
 */
export function matcherOf(text: string): Matcher | undefined {
  const words = wordsOf(text).map((word) => ({ word, text: bare(word), digits: digitsOf(word) }));
  if (!/\p{L}/u.test(text) && !words.some(({ digits }) => digits !== undefined)) return undefined;
  return (values, accountWords = []) => {
    const name = ` ${bare(nameFields.map((field) => values(field) ?? '').join(' '))}`;
    const email = bare(values('email') ?? '');
    const phones = searchedPhones.map((field) => values(field) ?? '');
    const matches: Match[] = [];
    for (const { word, text, digits } of words) {
      const match = accountWords.includes(word)
        ? ({ by: 'account_number', rank: 0 } as const)
        : (phoneMatch(phones, digits) ?? nameMatch(name, text) ?? emailMatch(email, text));
      if (!match) return undefined;
      matches.push(match);
    }
    const by = foundByOrder.findLast((each) => matches.some((match) => match.by === each));
    return by && { by, rank: matches.reduce((most, { rank }) => Math.max(most, rank), 0) };
  };
}

function phoneMatch(phones: readonly string[], digits: string | undefined): Match | undefined {
  if (digits === undefined || !phones.some((phone) => phone.includes(digits))) return undefined;
  return { by: 'phone', rank: phones.some((phone) => phone.endsWith(digits)) ? 0 : 2 };
}

const nameMatch = (name: string, word: string): Match | undefined =>
  name.includes(word) ? { by: 'name', rank: name.includes(` ${word}`) ? 1 : 2 } : undefined;

const emailMatch = (email: string, word: string): Match | undefined =>
  email.includes(word) ? { by: 'email', rank: email === word ? 0 : 2 } : undefined;
