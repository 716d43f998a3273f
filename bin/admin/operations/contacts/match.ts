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

/** What the directory can look for itself: a part of an email, or digits. A name is stored with its accents. */
export const searchOf = (text: string): string => (text.includes('@') ? text.trim() : (digitsOf(text) ?? ''));

/**
 * Makes the function that compares a person with the text: each of its words is a part of the name, or it is a part
 * of the email, or its digits are a part of a phone number. `undefined` if the text has no letter and too few digits.
 */
export function matcherOf(text: string): ((values: Values) => Match | undefined) | undefined {
  const words = bare(text).split(' ');
  const email = folded(text.trim());
  const digits = digitsOf(text);
  if (!/\p{L}/u.test(text) && digits === undefined) return undefined;
  return (values) => {
    const mail = values('email');
    if (mail !== null && folded(mail).includes(email)) return { by: 'email', rank: folded(mail) === email ? 0 : 2 };
    const phones = digits === undefined ? [] : searchedPhones.map(values).filter((phone) => phone !== null);
    if (phones.some((phone) => phone.includes(digits!)))
      return { by: 'phone', rank: phones.some((phone) => phone.endsWith(digits!)) ? 0 : 2 };
    const name = ` ${bare(nameFields.map((field) => values(field) ?? '').join(' '))}`;
    if (!words.every((word) => name.includes(word))) return undefined;
    return { by: 'name', rank: words.every((word) => name.includes(` ${word}`)) ? 1 : 2 };
  };
}
