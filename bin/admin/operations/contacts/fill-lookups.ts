import type { DeclaredLookup } from '../../../../lib/domain/contacts/lookup.ts';
import { untilAllWritten } from '../../../../lib/operations/retry.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { listClients } from '../../../../lib/store/access/clients.ts';
import { contentCachedFor, loadLookups, markFilled } from '../../../../lib/store/campaigns/content.ts';
import { loadContacts, writeOfEntries } from '../../../../lib/store/contacts/contacts.ts';
import { walkDirectory } from '../../../../lib/store/contacts/directory.ts';
import { chunksFrom, type Database } from '../../../../lib/store/table/database.ts';

/**
 * Milliseconds after the declaration of a field during which a contact may still be written without its index entry:
 * the time for which an instance caches the declarations, and time for a delayed write.
 */
const settledAfter = contentCachedFor + 5_000;

const contactsPerRead = 500;

/**
 * Adds contacts to the indexes of fields that were declared after the contacts were written. From then on, lookups use
 * these indexes. It is safe to stop and call again: contacts that are already in the indexes are not written again.
 * @returns the number of contacts that were written
 */
export async function fillLookups(service: Service, teamId: string): Promise<number> {
  const { database, now, wait } = service;
  let written = 0;
  for (;;) {
    const lookups = await unfilled(database, teamId);
    if (lookups.length === 0) return written;
    const settledAt = lookups.reduce((last, each) => Math.max(last, Date.parse(each.declared_at)), 0) + settledAfter;
    if (settledAt > now() && (await hasClients(database, teamId))) await wait(settledAt - now());
    const entries = walkDirectory(database, { teamId, search: '', direction: 'asc', expected: 4 * contactsPerRead });
    let isCurrent = true;
    for await (const chunk of chunksFrom(entries, contactsPerRead)) {
      // Another declaration in between may have taken the slot of one of these fields.
      isCurrent = JSON.stringify(await unfilled(database, teamId)) === JSON.stringify(lookups);
      if (!isCurrent) break;
      const ids = chunk.map(({ id }) => id);
      written += await addToIndexes(service, teamId, ids, lookups);
    }
    if (isCurrent) await markFilled(database, teamId, lookups);
  }
}

/** Without clients, no contact can have been written. */
const hasClients = async (database: Database, teamId: string): Promise<boolean> =>
  (await listClients(database, teamId)).length > 0;

const unfilled = async (database: Database, teamId: string): Promise<DeclaredLookup[]> =>
  (await loadLookups(database, teamId)).filter(({ filled }) => !filled);

async function addToIndexes(
  service: Service,
  teamId: string,
  ids: readonly string[],
  lookups: readonly DeclaredLookup[],
): Promise<number> {
  const { database } = service;
  let written = 0;
  await untilAllWritten(service, 'too many conflicts on a contact', ids, async (pending) => {
    const stored = (await loadContacts(database, teamId, pending)).filter((each) => each !== undefined);
    const writes = stored.flatMap((each) => writeOfEntries(teamId, each, lookups) ?? []);
    const isWritten = await database.write(writes);
    written += isWritten.filter(Boolean).length;
    return isWritten.every(Boolean) ? [] : stored.map(({ contact }) => contact.id);
  });
  return written;
}
