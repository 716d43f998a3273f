import type { Contact } from './contact.ts';

/**
 * What a person is asked for to prove that they are the contact: things that the institution has on file and that the
 * link, and whoever it was passed on to, does not tell. An email address is none of them: the link was sent there.
 */
export const factNames = ['birthdate', 'phone_mobile', 'phone_home', 'phone_work', 'post_code'] as const;
export type FactName = (typeof factNames)[number];
export const isFactName = (name: string): name is FactName => (factNames as readonly string[]).includes(name);

/** What the contact's file says, in the form in which answers are compared. */
export type Fact = { readonly name: FactName; readonly value: string };

type OnFile = Pick<Contact, FactName>;

/**
 * Always two, or none where there are not two. One alone can be guessed by somebody who knows a little: of a date of
 * birth most acquaintances know the year, which leaves 365; of the post codes, an institution's contacts share a few;
 * the end of a telephone number is known to whoever holds the telephone that the link was sent to.
 */
const factsAsked = 2;

/** The facts to ask for, those that are hardest to guess first; none where there are too few on file. */
export function factsOf(contact: OnFile): Fact[] {
  const phone = (['phone_mobile', 'phone_home', 'phone_work'] as const).find(
    (name) => onFile(name, contact) !== undefined,
  );
  const names = ['birthdate', ...(phone ? [phone] : []), 'post_code'] as const;
  const known = names.flatMap((name) => {
    const value = onFile(name, contact);
    return value === undefined ? [] : [{ name, value }];
  });
  return known.length < factsAsked ? [] : known.slice(0, factsAsked);
}

/** All that may be asked, as it is on file: a proof holds only as long as none of it changes (contract, section 10). */
export const factsOnFile = (contact: OnFile): string => JSON.stringify(factNames.map((name) => contact[name]));

function onFile(name: FactName, contact: OnFile): string | undefined {
  const text = contact[name];
  if (text === null) return undefined;
  if (name === 'birthdate') return text;
  return name === 'post_code' ? normalizedPostCode(text) : lastDigits(text);
}

/** The fields of a form, by their names; a date has three. */
export type Answers = { readonly [field: string]: string | undefined };

/**
 * What was answered, in the form in which it is compared.
 * @returns `undefined` for an answer that cannot be one (nothing, no date, too few digits), whatever is on file
 */
export function answerTo(name: FactName, answers: Answers): string | undefined {
  if (name === 'birthdate') return dateOf(answers);
  return name === 'post_code' ? normalizedPostCode(answers.post_code ?? '') : lastDigits(answers.phone ?? '');
}

/** Names of a date's fields. */
export const dateFields = ['birth_month', 'birth_day', 'birth_year'] as const;

function dateOf(answers: Answers): string | undefined {
  const [month = '', day = '', year = ''] = dateFields.map((field) => plain(answers[field] ?? ''));
  if (!/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day) || !/^[1-9]\d{3}$/.test(year)) return undefined;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that the month does not have is either no date or another one.
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? undefined : text;
}

const digitsAsked = 4;

/** Of the whole number, too, for whoever types it. */
function lastDigits(text: string): string | undefined {
  const digits = plain(text).replace(/\D/g, '');
  return digits.length < digitsAsked ? undefined : digits.slice(-digitsAsked);
}

/** Letters and digits; of the nine digits that an American post code may have, the five that everybody knows. */
function normalizedPostCode(text: string): string | undefined {
  const code = plain(text)
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (code === '') return undefined;
  return /^\d{9}$/.test(code) ? code.slice(0, 5) : code;
}

/** Characters. No date, number or code is longer; of some texts, normalizing takes time by the square of their length. */
const longestFact = 100;

/** Without blanks around, and with the digits and letters that some keyboards give for the common ones. */
const plain = (text: string): string =>
  text.length > longestFact ? '' : text.normalize('NFKC').replace(arabicDigits, westernDigit).trim();

/** Of Arabic and of Persian keyboards: ten of each, in a row, from a multiple of sixteen. */
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;
const westernDigit = (digit: string): string => String(digit.charCodeAt(0) % 16);
