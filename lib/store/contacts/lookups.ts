import { type DirectoryEntry, directoryValue, folded, positionBy } from '../../domain/contacts/directory.ts';
import {
  isMatch,
  type Lookup,
  type LookupField,
  type LookupSlot,
  lookupFieldName,
  searchTexts,
} from '../../domain/contacts/lookup.ts';
import { chunksFrom, type Database } from '../table/database.ts';
import { contactIdOfPartition, lookupAttribute, lookupPartition } from '../table/keys.ts';
import { loadContacts } from './contacts.ts';
import { type DirectoryScope, walkDirectory } from './directory.ts';

/** Contacts that an index returns, and the position after which its next page starts, if there is one. */
export type IndexPage = { ids: string[]; next?: string };

/** Two matches are enough to know that a lookup is ambiguous. */
const idsPerPage = 2;

/**
 * A page of the contacts that the slot's index has under this text. The index is eventually consistent, so the caller
 * compares each contact with the lookup.
 */
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

/** Entries that the walk expects to take, and contacts that are read together. */
const entriesExpected = 4000;
const contactsPerRead = 100;

/** Ids of the contacts that match, found by a walk over the whole directory. */
export async function* scannedContacts(database: Database, teamId: string, lookup: Lookup): AsyncGenerator<string> {
  if (searchTexts(lookup).length === 0) return;
  const { scope, mayMatch } = directoryFilter(teamId, lookup);
  const walk = walkDirectory(database, { ...scope, direction: 'asc', expected: entriesExpected });
  for await (const entries of chunksFrom(filtered(walk, mayMatch), contactsPerRead)) {
    const ids = entries.map(({ id }) => id);
    const contacts = await loadContacts(database, teamId, ids);
    for (const stored of contacts) if (stored && isMatch(stored.contact, lookup)) yield stored.contact.id;
  }
}

type DirectoryFilter = { scope: DirectoryScope; mayMatch(entry: DirectoryEntry): boolean };

/**
 * Preselects directory entries by the field. The directory holds the strings and numbers of metadata, but not their
 * keys and no booleans.
 */
function directoryFilter(teamId: string, lookup: Lookup): DirectoryFilter {
  const { name, key } = lookup.field;
  // The digits of a phone that is searched in two forms are part of each other.
  const texts = searchTexts(lookup).sort((a, b) => a.length - b.length);
  const [text = ''] = texts;
  if (key !== undefined) {
    const search = text === 'true' || text === 'false' ? '' : text;
    return { scope: { teamId, search }, mayMatch: () => true };
  }
  const positionOf = positionBy(name);
  const values = texts.map((each) => directoryValue(name, each));
  const search = values[0] === folded(text) ? text : '';
  return { scope: { teamId, search }, mayMatch: (entry) => values.includes(positionOf(entry).value ?? '') };
}

async function* filtered<T>(values: AsyncIterable<T>, isWanted: (value: T) => boolean): AsyncGenerator<T> {
  for await (const value of values) if (isWanted(value)) yield value;
}
