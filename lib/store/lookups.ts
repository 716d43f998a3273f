import { type DirectoryEntry, directoryValue, folded, positionBy } from '../domain/directory.ts';
import {
  isMatch,
  type Lookup,
  type LookupField,
  type LookupSlot,
  lookupFieldName,
  searchText,
} from '../domain/lookup.ts';
import { loadContacts } from './contacts.ts';
import { chunksFrom, type Database } from './database.ts';
import { type DirectoryScope, walkDirectory } from './directory.ts';
import { contactIdOfPartition, lookupAttribute, lookupPartition } from './keys.ts';

/** Contacts that an index names, and where its next page starts if there is one. */
export type IndexPage = { ids: string[]; next?: string };

/** Two that match are several: no more has to be known. */
const idsPerPage = 2;

/** A page of those that the slot's index has under this text. The index trails; each is to be held to the lookup. */
export async function indexPage(
  database: Database,
  teamId: string,
  slot: LookupSlot,
  { field, text }: { field: LookupField; text: string },
  after?: string,
): Promise<IndexPage> {
  const { items, next } = await database.query({
    pk: lookupPartition(teamId, lookupFieldName(field), text),
    index: lookupAttribute(slot),
    limit: idsPerPage,
    ...(after === undefined ? {} : { after }),
  });
  return { ids: items.map(({ pk }) => contactIdOfPartition(pk)), ...(next === undefined ? {} : { next }) };
}

/** Entries that the walk asks for at first, and contacts that are read together. */
const entriesExpected = 4000;
const contactsAtOnce = 100;

/** Ids of the contacts that match, by way of every entry of the directory that may be theirs. */
export async function* scannedContacts(database: Database, teamId: string, lookup: Lookup): AsyncGenerator<string> {
  const text = searchText(lookup);
  if (text === undefined) return;
  const { scope, isPossible } = possible(teamId, lookup.field, text);
  const walk = walkDirectory(database, { ...scope, direction: 'asc', expected: entriesExpected });
  for await (const entries of chunksFrom(filtered(walk, isPossible), contactsAtOnce)) {
    const ids = entries.map(({ id }) => id);
    const contacts = await loadContacts(database, teamId, ids);
    for (const stored of contacts) if (stored && isMatch(stored.contact, lookup)) yield stored.contact.id;
  }
}

type Possible = { scope: DirectoryScope; isPossible(entry: DirectoryEntry): boolean };

/** What the directory can say about the field. Of metadata it has strings and numbers, without their keys. */
function possible(teamId: string, { name, key }: LookupField, text: string): Possible {
  if (key !== undefined) {
    const search = text === 'true' || text === 'false' ? '' : text;
    return { scope: { teamId, search }, isPossible: () => true };
  }
  const place = positionBy(name);
  const value = directoryValue(name, text);
  const search = value === folded(text) ? text : '';
  return { scope: { teamId, search }, isPossible: (entry) => place(entry).value === value };
}

async function* filtered<T>(values: AsyncIterable<T>, isWanted: (value: T) => boolean): AsyncGenerator<T> {
  for await (const value of values) if (isWanted(value)) yield value;
}
