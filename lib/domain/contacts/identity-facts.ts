import type { Contact } from './contact.ts';

/**
 * The facts that a person can be asked for to prove to be the contact. The institution has them on file, and a person
 * to whom the link was forwarded does not learn them from it. An email address is not a fact, because the link was sent
 * to it.
 */
const factNames = ['birthdate', 'phone_mobile', 'phone_home', 'phone_work', 'post_code'] as const;
export type FactName = (typeof factNames)[number];
export const isFactName = (name: string): name is FactName => (factNames as readonly string[]).includes(name);

/** A fact of a contact, in the form in which answers are compared. */
export type Fact = { readonly name: FactName; readonly value: string };

type OnFile = Pick<Contact, FactName>;

/**
 * Always two facts, or none if two are not on file. One fact can be guessed. Acquaintances often know the year of
 * birth, which leaves 365 dates. The contacts of an institution share a few post codes. A person who has the phone that
 * the link was sent to knows the last digits of its number.
 */
const factsAsked = 2;

/** The facts to ask for, hardest to guess first. Empty if too few are on file. */
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

/** The stored values of all facts. A proof is valid only while none of them changes (contract, section 10). */
export const factsOnFile = (contact: OnFile): string => JSON.stringify(factNames.map((name) => contact[name]));

/** The last change of the facts: when, and by whom. */
export type FactsChange = { readonly at: string; readonly by: Writer };

/** Who changes contacts: the id of an API client, `import` for dropped files, or `admin`. */
export type Writer = string;

function onFile(name: FactName, contact: OnFile): string | undefined {
  const text = contact[name];
  if (text === null) return undefined;
  if (name === 'birthdate') return text;
  return name === 'post_code' ? normalizedPostCode(text) : lastDigits(text);
}

/** The fields of a form by name. A date has three fields. */
export type Answers = { readonly [field: string]: string | undefined };

/**
 * An answer in the form in which it is compared.
 * @returns `undefined` for an answer that can never be right (empty, not a date, too few digits)
 */
export function answerTo(name: FactName, answers: Answers): string | undefined {
  if (name === 'birthdate') return dateOf(answers);
  return name === 'post_code' ? normalizedPostCode(answers.post_code ?? '') : lastDigits(answers.phone ?? '');
}

/** The fields of a form that hold the answer. */
const fieldsOf = (name: FactName): readonly (keyof Answers)[] =>
  name === 'birthdate' ? dateFields : [name === 'post_code' ? 'post_code' : 'phone'];

/** True if the field of the answer is empty, or a part of the date: the answer is missing, not wrong. */
export const isUnanswered = (name: FactName, answers: Answers): boolean =>
  fieldsOf(name).some((field) => (answers[field] ?? '').trim() === '');

/** Names of the form fields of a date. */
const dateFields = ['birth_month', 'birth_day', 'birth_year'] as const;

function dateOf(answers: Answers): string | undefined {
  const part = (field: keyof Answers) => plain(answers[field] ?? '');
  const [month, day] = [part('birth_month').padStart(2, '0'), part('birth_day').padStart(2, '0')];
  const text = `${part('birth_year')}-${month}-${day}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || !/^[1-9]/.test(text)) return undefined;
  // `Date.parse` turns some days that do not exist into another day, and also reads other forms.
  return new Date(time).toISOString().slice(0, 10) === text ? text : undefined;
}

const digitsAsked = 4;

/** Also accepts the whole number, and takes its last digits. */
function lastDigits(text: string): string | undefined {
  const digits = plain(text).replace(/\D/g, '');
  return digits.length < digitsAsked ? undefined : digits.slice(-digitsAsked);
}

/** Letters and digits only. Of a nine-digit US post code, only the first five digits. */
function normalizedPostCode(text: string): string | undefined {
  const code = plain(text)
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (code === '') return undefined;
  return /^\d{9}$/.test(code) ? code.slice(0, 5) : code;
}

/** Characters. No fact is longer, and the time to normalize some texts grows with the square of their length. */
const longestFact = 100;

/** Removes surrounding spaces, and converts digits and letters of other keyboards to the usual ones. */
const plain = (text: string): string =>
  text.length > longestFact ? '' : text.normalize('NFKC').replace(arabicDigits, westernDigit).trim();

/** Digits of Arabic and Persian keyboards. The code points of the ten digits begin at a multiple of sixteen. */
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;
const westernDigit = (digit: string): string => String(digit.charCodeAt(0) % 16);
