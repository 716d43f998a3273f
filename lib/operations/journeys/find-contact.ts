import type { Caller } from '../../domain/access/caller.ts';
import { isMatch, type Lookup, lookupFieldName, lookupSlots, searchTexts } from '../../domain/contacts/lookup.ts';
import { isUuid } from '../../domain/values/uuid.ts';
import { loadIdentities } from '../../store/contacts/identities.ts';
import { type IndexPage, indexPage, scannedContacts } from '../../store/contacts/lookups.ts';
import { type ContactAggregate, loadContactAggregate } from '../../store/journeys/journeys.ts';
import { withinScanBudget } from '../access/scan-budget.ts';
import type { ContactService, Settings } from '../service.ts';

/**
 * The contact that matches, as a contact aggregate; `undefined` if no contact or several contacts match. Indexes and
 * the directory only give candidates; each stored contact is compared with the lookup.
 * @throws Problem `too_many_requests` as in `withinScanBudget`, if the lookup needs a scan
 */
export async function findContact(
  service: ContactService & Pick<Settings, 'scanUnits'>,
  caller: Pick<Caller, 'teamId' | 'clientId'>,
  lookup: Lookup,
): Promise<ContactAggregate | undefined> {
  const { database } = service;
  const found: ContactAggregate[] = [];
  for await (const ids of candidates(service, caller, lookup)) {
    const aggregates = await Promise.all(ids.map((id) => loadContactAggregate(database, caller.teamId, id)));
    for (const aggregate of aggregates) if (aggregate && isMatch(aggregate.contact, lookup)) found.push(aggregate);
    if (found.length > 1) return undefined;
  }
  return found[0];
}

async function* candidates(
  service: ContactService & Pick<Settings, 'scanUnits'>,
  caller: Pick<Caller, 'teamId' | 'clientId'>,
  lookup: Lookup,
): AsyncGenerator<string[]> {
  const texts = searchTexts(lookup);
  const [text] = texts;
  if (text === undefined) return;
  const { name } = lookup.field;
  if (name === 'id') yield isUuid(text) ? [text] : [];
  else if (name === 'unique_id') yield [...(await loadIdentities(service.database, caller.teamId, [text])).values()];
  else yield* declaredOrScanned(service, caller, lookup, texts);
}

/**
 * Queries the index in parallel with the read that tells which index has the field. It guesses the index from the last
 * read of the declarations; without one, it queries all indexes.
 */
async function* declaredOrScanned(
  service: ContactService & Pick<Settings, 'scanUnits'>,
  caller: Pick<Caller, 'teamId' | 'clientId'>,
  lookup: Lookup,
  texts: readonly string[],
): AsyncGenerator<string[]> {
  const { database, content } = service;
  const { teamId } = caller;
  const searches = texts.map((text) => ({ field: lookup.field, text }));
  const name = lookupFieldName(lookup.field);
  const last = await content.lastLookups(teamId);
  const guesses = last ? last.filter(({ field }) => field === name).map(({ slot }) => slot) : lookupSlots;
  const [lookups, ...pages] = await Promise.all([
    content.lookups(teamId),
    ...guesses.flatMap((slot) => searches.map((search) => indexPage(database, teamId, slot, search))),
  ]);
  const declared = lookups.find(({ field, filled }) => filled && field === name);
  if (!declared) {
    yield await withinScanBudget(service, caller, (from) => firstTwo(scannedContacts(from, teamId, lookup)));
    return;
  }
  const { slot } = declared;
  const guessed = guesses.indexOf(slot);
  for (const [at, search] of searches.entries()) {
    let page: IndexPage | undefined = guessed === -1 ? undefined : pages[guessed * searches.length + at];
    page ??= await indexPage(database, teamId, slot, search);
    while (page) {
      yield page.ids;
      page = page.next === undefined ? undefined : await indexPage(database, teamId, slot, search, page.next);
    }
  }
}

/** Two matches are enough to know that a lookup is ambiguous. */
async function firstTwo(ids: AsyncIterable<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const id of ids) if (taken.push(id) === 2) break;
  return taken;
}
