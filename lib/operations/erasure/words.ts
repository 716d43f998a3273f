import type { Contact } from '../../domain/contacts/contact.ts';

/** What names a person, besides a `unique_id`, in a text without known fields. */
export type PersonFacts = Pick<
  Contact,
  'name_first' | 'name_last' | 'email' | 'phone_home' | 'phone_mobile' | 'phone_work'
>;

/** A phone with fewer digits names nobody. */
const fewestPhoneDigits = 7;

/** Characters that continue a word. A dot does so between two of them, and so a `unique_id` is not found in an email. */
const character = '\\p{L}\\p{M}\\p{N}_@-';
const before = `(?<![${character}]|[${character}]\\.)`;
const after = `(?![${character}]|\\.[${character}])`;

/** Between the two names of a person: cells of one row, or the key of the second one in JSON. */
const between =
  '(?:[^\\p{L}\\p{N}\\r\\n]{1,12}|[^\\p{L}\\p{N}{}]{1,40}[\\p{L}_.]*name[\\p{L}_.]*[^\\p{L}\\p{N}{}]{1,40})';

/**
 * Finds a person in a text that cannot be read as fields: a `unique_id`, an email, a phone or the full name, each as whole
 * words.
 */
export class PersonWords {
  readonly #patterns: readonly RegExp[];
  /** Longer than any match, in characters. */
  readonly #overlap: number;

  constructor(uniqueIds: ReadonlySet<string>, facts: PersonFacts | undefined) {
    const exact = [...uniqueIds].flatMap(spellings);
    const loose = facts ? factPatterns(facts) : [];
    this.#patterns = [
      ...(exact.length > 0 ? [new RegExp(`${before}(?:${exact.join('|')})${after}`, 'gu')] : []),
      ...(loose.length > 0 ? [new RegExp(`${before}(?:${loose.join('|')})${after}`, 'giu')] : []),
    ];
    this.#overlap = [...exact, ...loose].reduce((most, { length }) => Math.max(most, length), 0) + 200;
  }

  isIn(text: string): boolean {
    return this.#isWithin(text, true, true);
  }

  async isInParts(parts: AsyncIterable<string>): Promise<boolean> {
    let text = '';
    let isStart = true;
    for await (const part of parts) {
      text += part;
      if (this.#isWithin(text, isStart, false)) return true;
      if (text.length <= this.#overlap) continue;
      text = text.slice(-this.#overlap);
      isStart = false;
    }
    return this.#isWithin(text, isStart, true);
  }

  /** A match at the edge of a part counts only when the characters around it are known. */
  #isWithin(text: string, isStart: boolean, isEnd: boolean): boolean {
    return this.#patterns.some((pattern) =>
      text
        .matchAll(pattern)
        .some(({ 0: { length }, index }) => (isStart || index > 1) && (isEnd || index + length + 1 < text.length)),
    );
  }
}

function factPatterns({ name_first, name_last, email, ...phones }: PersonFacts): string[] {
  const first = isNamed(name_first) ? spellings(name_first) : [];
  const last = isNamed(name_last) ? spellings(name_last) : [];
  return [
    ...(isNamed(email) ? spellings(email) : []),
    ...[phones.phone_home, phones.phone_mobile, phones.phone_work].flatMap((phone) => phonePattern(phone ?? '')),
    ...first.flatMap((a) => last.flatMap((b) => [`${a}${between}${b}`, `${b}${between}${a}`])),
  ];
}

const isNamed = (value: string | null): value is string => value !== null && value.trim() !== '';

/** The digits with the punctuation of people; the country code 1 is added when a phone is stored. */
function phonePattern(digits: string): string[] {
  if (digits.length < fewestPhoneDigits) return [];
  const separated = (text: string) => [...text].join('[ ()./-]{0,3}');
  const national = digits.length === 11 && digits.startsWith('1') ? [separated(digits.slice(1))] : [];
  return [separated(digits), separated(`00${digits}`), ...national];
}

/** The value as patterns: as it is, in a string of JSON, also with escapes for all but ASCII, and in a quoted cell. */
function spellings(value: string): string[] {
  const json = JSON.stringify(value.trim()).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const all = new Set([value.trim(), json, ascii, value.trim().replaceAll('"', '""')]);
  return [...all].map((each) => RegExp.escape(each));
}
