import type { DeclaredLookup } from '../domain/lookup.ts';
import { listClients } from '../store/clients.ts';
import { loadContacts, writeOfEntries } from '../store/contacts.ts';
import { contentCachedFor, loadLookups, markFilled } from '../store/content.ts';
import { chunksFrom, type Database } from '../store/database.ts';
import { walkDirectory } from '../store/directory.ts';
import { type RetryDependencies, untilAllWritten } from './retry.ts';

export type FillDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits that many milliseconds. */
  wait(milliseconds: number): Promise<void>;
};

/**
 * How long after a field was declared somebody may still write a contact without it, in milliseconds: what an instance
 * keeps of the declarations, and a write that the store lets wait.
 */
const settledAfter = contentCachedFor + 5_000;

const contactsAtOnce = 500;

/**
 * Enters the contacts into the indexes of the fields that were declared since they were written, and has the indexes
 * answer from then on. Breaking off and calling again is safe: what is entered already is not written again.
 * @returns how many contacts were written
 */
export async function fillLookups(dependencies: FillDependencies, teamId: string): Promise<number> {
  const { database, now, wait } = dependencies;
  let written = 0;
  for (;;) {
    const lookups = await unfilled(database, teamId);
    if (lookups.length === 0) return written;
    const settled = Math.max(...lookups.map((each) => Date.parse(each.declared_at))) + settledAfter;
    if (settled > now() && (await hasClients(database, teamId))) await wait(settled - now());
    const entries = walkDirectory(database, { teamId, search: '', direction: 'asc', expected: 4 * contactsAtOnce });
    let isCurrent = true;
    for await (const chunk of chunksFrom(entries, contactsAtOnce)) {
      // A field that was declared meanwhile may have taken the place of one of these.
      isCurrent = JSON.stringify(await unfilled(database, teamId)) === JSON.stringify(lookups);
      if (!isCurrent) break;
      const ids = chunk.map(({ id }) => id);
      written += await enter(dependencies, teamId, ids, lookups);
    }
    if (isCurrent) await markFilled(database, teamId, lookups);
  }
}

/** Without a credential nobody can have written a contact. */
const hasClients = async (database: Database, teamId: string): Promise<boolean> =>
  (await listClients(database, teamId)).length > 0;

const unfilled = async (database: Database, teamId: string): Promise<DeclaredLookup[]> =>
  (await loadLookups(database, teamId)).filter(({ filled }) => !filled);

async function enter(
  dependencies: FillDependencies,
  teamId: string,
  ids: readonly string[],
  lookups: readonly DeclaredLookup[],
): Promise<number> {
  const { database } = dependencies;
  let written = 0;
  await untilAllWritten(dependencies, 'a contact is contended', ids, async (pending) => {
    const stored = (await loadContacts(database, teamId, pending)).filter((each) => each !== undefined);
    const writes = stored.flatMap((each) => writeOfEntries(teamId, each, lookups) ?? []);
    const taken = await database.write(writes);
    written += taken.filter(Boolean).length;
    return taken.every(Boolean) ? [] : stored.map(({ contact }) => contact.id);
  });
  return written;
}
