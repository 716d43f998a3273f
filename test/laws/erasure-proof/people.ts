import { gzipSync } from 'node:zlib';

/**
 * Every value of a person contains a mark with the number of the person, so that a scan finds each value of each person
 * by one pattern, also inside a longer text. `zq00042e` is the email of person 42.
 */
export const valueKinds = {
  u: 'unique_id',
  w: 'former unique_id',
  f: 'name_first',
  l: 'name_last',
  e: 'email',
  a: 'address',
  c: 'city, from a dropped file',
  m: 'meta_public',
  n: 'meta_private',
  t: 'typed name of a response',
  s: 'text of a response',
  p: 'phone',
} as const;

export type ValueKind = keyof typeof valueKinds;

export const markOf = (person: number, kind: ValueKind): string => `zq${String(person).padStart(5, '0')}${kind}`;
/** Stored without punctuation. */
export const phoneOf = (person: number): string => `+42077${String(person).padStart(7, '0')}`;

const mark = /zq(\d{5})([a-z])/gi;
const phone = /\+42077(\d{7})/g;

/** Calls `visit` for each value of a person in the text. */
export function eachValue(text: string, visit: (person: number, kind: ValueKind) => void): void {
  for (const [, person, kind] of text.matchAll(mark)) visit(Number(person), kind!.toLowerCase() as ValueKind);
  for (const [, person] of text.matchAll(phone)) visit(Number(person), 'p');
}

/** Some contacts had another `unique_id` first. */
export const isRenamed = (person: number): boolean => person % 50 === 7;
export const isInContactFile = (person: number): boolean => person % 10 === 1;
export const isInAccountFile = (person: number): boolean => person % 5 === 2;
export const hasAnswered = (person: number): boolean => person % 3 === 0;
export const hasAttempts = (person: number): boolean => person % 10 === 4;
/** The order of one value and the next is kept, so that chunks name each person once. */
export const isInLastChunks = (person: number): boolean => person % 20 === 9;

export const uniqueIdOf = (person: number): string => `cif-${markOf(person, 'u')}`;
export const formerIdOf = (person: number): string => `cif-${markOf(person, 'w')}`;
/** The `unique_id` with which the contact is created. */
export const firstIdOf = (person: number): string => (isRenamed(person) ? formerIdOf : uniqueIdOf)(person);

export const contactOf = (person: number) => ({
  unique_id: firstIdOf(person),
  name_first: `First ${markOf(person, 'f')}`,
  name_last: `Last ${markOf(person, 'l')}`,
  email: `${markOf(person, 'e')}@example.com`,
  phone_mobile: phoneOf(person),
  address: `${markOf(person, 'a')} Street 1`,
  birthdate: '1985-03-27',
  post_code: '94110',
  meta_public: { segment: markOf(person, 'm') },
  meta_private: { core: { id: markOf(person, 'n') } },
});

export const accountsOf = (person: number, uniqueId = firstIdOf(person)) => [
  {
    account_number: `acc-${person}`,
    contact: { unique_id: uniqueId, role: 'primary' },
    product: { code: 'CHK', type: 'checking' },
    nickname: `Account ${person}`,
    balance: '10.50',
  },
  { account_number: `shared-${person % 100}`, contact: { unique_id: uniqueId, role: 'joint' } },
];

/** Files that cannot be read as rows: each kind of them with the erased persons, and with others. */
export function filesThatAreRefused(erased: readonly number[], contacts: number): Record<string, string | Buffer> {
  const others = Array.from({ length: contacts }, (_, person) => person)
    .filter((person) => !erased.includes(person))
    .slice(0, 5);
  return Object.fromEntries(
    Object.entries({ gone: erased, kept: others }).flatMap(([name, persons]) => {
      const lines = (of: (person: number) => string) => persons.map((person) => `${of(person)}\n`).join('');
      const ids = `unique_id,city\n${lines((person) => `${uniqueIdOf(person)},Brno`)}`;
      return Object.entries({
        [`contacts/${name}-utf16.csv`]: Buffer.from(`\ufeff${ids}`, 'utf16le'),
        [`contacts/${name}-cut.csv.gz`]: gzipSync(ids).subarray(0, -9),
        [`contacts/${name}-array.json`]: JSON.stringify(persons.map((person) => ({ email: contactOf(person).email }))),
        [`contacts/${name}-headerless.csv`]: lines((person) => {
          const { name_first, name_last, birthdate } = contactOf(person);
          return `7781,Mrs,${name_first},${name_last},${birthdate}`;
        }),
        [`accounts/${name}-phones.csv`]: `number;owner\n${lines((person) => `1;${phoneOf(person)}`)}`,
      });
    }),
  );
}
