import type { Contact } from '../../../../lib/domain/contacts/contact.ts';
import { FirstInOrder, positionBy } from '../../../../lib/domain/contacts/directory.ts';
import type { DeclaredLookup } from '../../../../lib/domain/contacts/lookup.ts';
import { isBlank } from '../../../../lib/domain/values/fields.ts';
import { isUuid } from '../../../../lib/domain/values/uuid.ts';
import { loadLinks } from '../../../../lib/store/accounts/accounts.ts';
import type { ContentCache } from '../../../../lib/store/campaigns/content.ts';
import { loadByUniqueId, loadContact, loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import { scanDirectory } from '../../../../lib/store/contacts/directory.ts';
import { indexPage } from '../../../../lib/store/contacts/lookups.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { accountHolders } from '../accounts/holders.ts';
import {
  type FoundBy,
  isKey,
  type MatchedField,
  type Matcher,
  matchedFields,
  matcherOf,
  nameFields,
  searchedPhones,
  searchOf,
  wordsOf,
} from './match.ts';

type FindService = { database: Database; content: ContentCache };

/** A person as somebody on the phone is recognised. */
export type FoundContact = Pick<Contact, 'id' | 'unique_id' | 'email'> & {
  name: string | null;
  phones: string[];
  account_numbers: string[];
  found_by: FoundBy;
};

export type FoundContacts = {
  /** How many match, also those beyond the limit. */
  matched: number;
  contacts: FoundContact[];
};

type Options = { limit: number; onProgress(lookedAt: number): void };

/**
 * The contacts that the text means, the best matches first. A `unique_id`, an id, an account number, and an email that a
 * channel of the team declares for lookups are read by their key. A text that is no key, or can be more, compares each
 * entry of the directory, which can trail the contacts by a moment. Each word of the text matches.
 * @returns `undefined` if nothing can be found by the text
 */
export async function findContacts(
  service: FindService,
  teamId: string,
  text: string,
  { limit, onProgress }: Options,
): Promise<FoundContacts | undefined> {
  const { database } = service;
  const exact = await foundByKey(service, teamId, text.trim());
  const match = matcherOf(text);
  const byKey = exact.size > 0 ? exact : await foundByAccount(database, teamId, text, match);
  if (!match && byKey.size === 0) return undefined;
  const first = new FirstInOrder(limit, 'asc');
  let matched = byKey.size;
  if (match && (exact.size === 0 || !isKey(text))) {
    let lookedAt = 0;
    await scanDirectory(database, { teamId, search: searchOf(text) }, (entry) => {
      onProgress(++lookedAt);
      const found = match((field) => positionOf[field](entry).value);
      if (!found || byKey.has(entry.id)) return;
      matched++;
      first.offer({ value: `${found.rank}${positionOf.name_last(entry).value ?? ''}`, id: entry.id });
    });
  }
  const ids = [...byKey.keys(), ...first.taken().map(({ id }) => id)].slice(0, limit);
  const stored = (await loadContacts(database, teamId, ids)).flatMap((each) => (each ? [each.contact] : []));
  const contacts = stored.flatMap((contact) => {
    const by = byKey.get(contact.id) ?? match?.((field) => contact[field])?.by;
    return by === undefined ? [] : [foundContact(database, teamId, contact, by)];
  });
  return { matched, contacts: await Promise.all(contacts) };
}

const positionOf = Object.fromEntries(matchedFields.map((field) => [field, positionBy(field)])) as Record<
  MatchedField,
  ReturnType<typeof positionBy>
>;

/** Ids of the contacts that have the text as a key. */
async function foundByKey(
  { database, content }: FindService,
  teamId: string,
  text: string,
): Promise<Map<string, FoundBy>> {
  if (Buffer.byteLength(text) > maxKeyBytes) return new Map();
  const [named, byId, holders, emails] = await Promise.all([
    loadByUniqueId(database, teamId, [text]),
    isUuid(text) ? loadContact(database, teamId, text.toLowerCase()) : undefined,
    withAccount(database, teamId, text),
    withEmail(database, teamId, await content.lookups(teamId), text),
  ]);
  const contactIds = [named.get(text)?.stored, byId].flatMap((stored) => (stored ? [stored.contact.id] : []));
  return new Map([
    ...emails.map((id) => [id, 'email'] as const),
    ...holders,
    ...contactIds.map((id) => [id, 'unique_id'] as const),
  ]);
}

/** No `unique_id` is longer. */
const maxKeyBytes = 1024;

async function withAccount(database: Database, teamId: string, number: string): Promise<Map<string, FoundBy>> {
  if (number === '' || Buffer.byteLength(number) > maxKeyBytes) return new Map();
  const holders = await accountHolders(database, teamId, number);
  return new Map(
    holders.flatMap(({ contact_id: id, unique_id }) => (unique_id === null ? [] : [[id, 'account_number']])),
  );
}

/** The holders of an account that the text, or one of its words, is the number of. They match the other words. */
async function foundByAccount(
  database: Database,
  teamId: string,
  text: string,
  match: Matcher | undefined,
): Promise<Map<string, FoundBy>> {
  const whole = await withAccount(database, teamId, withoutSeparators(text));
  const words = wordsOf(text);
  if (whole.size > 0 || !match || words.length < 2) return whole;
  const wordsOfHolder = new Map<string, string[]>();
  for (const word of words.filter((each) => /\d/.test(each))) {
    const numbers = new Set([word, withoutSeparators(word)]);
    const holders = await Promise.all([...numbers].map((number) => withAccount(database, teamId, number)));
    for (const id of new Set(holders.flatMap((each) => [...each.keys()])))
      wordsOfHolder.set(id, [...(wordsOfHolder.get(id) ?? []), word]);
  }
  const stored = await loadContacts(database, teamId, [...wordsOfHolder.keys()]);
  return new Map(
    stored.flatMap((each): [string, FoundBy][] => {
      if (!each) return [];
      const found = match((field) => each.contact[field], wordsOfHolder.get(each.contact.id));
      return found ? [[each.contact.id, found.by]] : [];
    }),
  );
}

/** An account number is often written in groups. */
const withoutSeparators = (text: string): string => text.replaceAll(/[\s-]+/g, '');

async function withEmail(database: Database, teamId: string, lookups: readonly DeclaredLookup[], text: string) {
  const declared = lookups.find(({ field, filled }) => filled && field === 'email');
  const ids: string[] = [];
  if (!declared || !text.includes('@')) return ids;
  const search = { field: { name: 'email' } as const, text };
  let after: string | undefined;
  do {
    const page = await indexPage(database, teamId, declared.slot, search, after);
    const stored = await loadContacts(database, teamId, page.ids);
    for (const each of stored) if (each?.contact.email === text) ids.push(each.contact.id);
    after = page.next;
  } while (after !== undefined && ids.length < maxByEmail);
  return ids;
}

/** So many people with one email are a value that stands for none, for example that of the bank. */
const maxByEmail = 100;

async function foundContact(
  database: Database,
  teamId: string,
  contact: Contact,
  found_by: FoundBy,
): Promise<FoundContact> {
  const { id, unique_id, email } = contact;
  const present = (fields: readonly MatchedField[]) =>
    fields.map((field) => contact[field]).filter((value) => !isBlank(value));
  const { links } = await loadLinks(database, teamId, id);
  return {
    ...{ unique_id, id, email, found_by },
    name: present(nameFields).join(' ') || null,
    phones: present(searchedPhones) as string[],
    account_numbers: links.map(({ account_number }) => account_number),
  };
}
