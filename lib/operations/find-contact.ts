import { isMatch, type Lookup, lookupFieldName, lookupSlots, searchText } from '../domain/lookup.ts';
import { isUuid } from '../domain/uuid.ts';
import type { ContentCache } from '../store/content.ts';
import type { Database } from '../store/database.ts';
import { loadIdentities } from '../store/identities.ts';
import { type ContactAggregate, loadContactAggregate } from '../store/journeys.ts';
import { type IndexPage, indexPage, scannedContacts } from '../store/lookups.ts';

export type FindDependencies = { database: Database; content: ContentCache };

/**
 * The contact that matches, as a contact aggregate; `undefined` if no contact or several contacts match. Indexes and
 * the directory only give candidates; each stored contact is compared with the lookup.
 */
export async function findContact(
  dependencies: FindDependencies,
  teamId: string,
  lookup: Lookup,
): Promise<ContactAggregate | undefined> {
  const { database } = dependencies;
  const found: ContactAggregate[] = [];
  for await (const ids of candidates(dependencies, teamId, lookup)) {
    const aggregates = await Promise.all(ids.map((id) => loadContactAggregate(database, teamId, id)));
    found.push(
      ...aggregates.filter((aggregate) => aggregate !== undefined).filter(({ contact }) => isMatch(contact, lookup)),
    );
    if (found.length > 1) return undefined;
  }
  return found[0];
}

async function* candidates(
  { database, content }: FindDependencies,
  teamId: string,
  lookup: Lookup,
): AsyncGenerator<string[]> {
  const text = searchText(lookup);
  if (text === undefined) return;
  const { name } = lookup.field;
  if (name === 'id') yield isUuid(text) ? [text] : [];
  else if (name === 'unique_id') yield [...(await loadIdentities(database, teamId, [text])).values()];
  else yield* declaredOrScanned({ database, content }, teamId, lookup, text);
}

/**
 * Queries the index in parallel with the read that tells which index has the field. It guesses the index from the last
 * read of the declarations; without one, it queries all indexes.
 */
async function* declaredOrScanned(
  { database, content }: FindDependencies,
  teamId: string,
  lookup: Lookup,
  text: string,
): AsyncGenerator<string[]> {
  const search = { field: lookup.field, text };
  const name = lookupFieldName(lookup.field);
  const last = await content.lastLookups(teamId);
  const guesses = last ? last.filter(({ field }) => field === name).map(({ slot }) => slot) : lookupSlots;
  const [lookups, ...pages] = await Promise.all([
    content.lookups(teamId),
    ...guesses.map((slot) => indexPage(database, teamId, slot, search)),
  ]);
  const declared = lookups.find(({ field, filled }) => filled && field === name);
  if (!declared) {
    for await (const id of scannedContacts(database, teamId, lookup)) yield [id];
    return;
  }
  const { slot } = declared;
  let page: IndexPage | undefined = pages[guesses.indexOf(slot)] ?? (await indexPage(database, teamId, slot, search));
  while (page) {
    yield page.ids;
    page = page.next === undefined ? undefined : await indexPage(database, teamId, slot, search, page.next);
  }
}
