import * as z from 'zod';
import {
  type Listing,
  listedIn,
  type SuppressionEntry,
  type SuppressionScope,
  suppressionScopes,
} from '../../../../lib/domain/suppression/suppression.ts';
import { Problem } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { ContactService, SuppressionService } from '../../../../lib/operations/service.ts';
import { hashOf, journaled, suppress } from '../../../../lib/operations/suppression/suppress.ts';
import { loadContact, loadContacts, writesOfContact } from '../../../../lib/store/contacts/contacts.ts';
import { walkDirectory } from '../../../../lib/store/contacts/directory.ts';
import type { JournalEntry } from '../../../../lib/store/suppression/journal.ts';
import { loadSuppressions, writeOfSuppression } from '../../../../lib/store/suppression/suppression.ts';
import { chunksFrom, chunksOf, type Database, pages } from '../../../../lib/store/table/database.ts';
import { hashOfListKey, suppressedListPartition } from '../../../../lib/store/table/keys.ts';
import { itemReader } from '../../../../lib/store/table/stored-item.ts';

/** An entry of the list, without the address, which nobody knows. */
export type ShownSuppression = { channel: 'email'; for: SuppressionScope } & Listing;

const shownOf = (entry: SuppressionEntry | undefined): ShownSuppression[] =>
  suppressionScopes.flatMap((scope) => {
    const listing = entry?.[scope];
    return listing ? [{ channel: 'email', for: scope, ...listing }] : [];
  });

const listPosition = itemReader('entry of the list of addresses', z.object({ directory_sk: z.string() }));
const entriesAtOnce = 100;

/** The list of the team, the latest change first. A change is in it after a moment. */
export async function* listSuppressions(database: Database, teamId: string): AsyncGenerator<ShownSuppression> {
  const query = { pk: suppressedListPartition(teamId), index: 'directory', descending: true } as const;
  for await (const items of pages(database, query)) {
    for (const some of chunksOf(items, entriesAtOnce)) {
      const hashes = some.map((item) => hashOfListKey(listPosition(item).directory_sk));
      const entries = await loadSuppressions(database, teamId, hashes);
      yield* entries.flatMap(shownOf);
    }
  }
}

/** What the list has of one address. */
export async function findSuppression(
  service: SuppressionService,
  teamId: string,
  address: string,
): Promise<ShownSuppression[]> {
  const [entry] = await loadSuppressions(service.database, teamId, [await requiredHash(service, teamId, address)]);
  return shownOf(entry);
}

/** @returns false if it was listed already */
export const addSuppression = async (
  service: SuppressionService,
  teamId: string,
  address: string,
  scope: SuppressionScope = 'marketing',
): Promise<boolean> =>
  suppress(service, teamId, await requiredHash(service, teamId, address), { scope, reason: 'added' });

const addressesAtOnce = 16;

/** @returns how many were listed now, how many were before, and the numbers of the values that are no addresses, from 1 */
export async function importSuppressions(
  service: SuppressionService,
  teamId: string,
  addresses: readonly string[],
  scope: SuppressionScope = 'marketing',
  onProgress: (done: number) => void = () => {},
): Promise<{ added: number; known: number; invalid: number[] }> {
  const result = { added: 0, known: 0, invalid: [] as number[] };
  const hashes = await Promise.all(addresses.map((address) => hashOf(service, teamId, address)));
  for (const [at, hash] of hashes.entries()) if (hash === undefined) result.invalid.push(at + 1);
  const distinct = [...new Set(hashes)].filter((hash) => hash !== undefined);
  for (const some of chunksOf(distinct, addressesAtOnce)) {
    const change = { scope, reason: 'imported' } as const;
    const added = await Promise.all(some.map((hash) => suppress(service, teamId, hash, change)));
    for (const isNew of added) result[isNew ? 'added' : 'known'] += 1;
    onProgress(result.added + result.known);
  }
  return result;
}

/**
 * Takes an address from the list, and takes back the leaving of the contacts that have it now. They are opted in only when
 * somebody says so again.
 * @param note why, for the journal
 * @returns false if it was not listed, and no contact with it had left
 */
export async function removeSuppression(
  service: SuppressionService,
  teamId: string,
  address: string,
  note?: string,
): Promise<{ removed: boolean; contact_ids: string[] }> {
  const hash = await requiredHash(service, teamId, address);
  const contact_ids: string[] = [];
  for await (const id of contactsWith(service, teamId, address, hash)) {
    if (await takenBack(service, teamId, id, hash)) contact_ids.push(id);
  }
  const removed = await untilWritten(service, 'too many conflicts on a listed address', async () => {
    const [stored] = await loadSuppressions(service.database, teamId, [hash]);
    if (!stored) return false;
    await journaled(service, teamId, { hash, change: 'removed', for: 'all', note });
    const write = writeOfSuppression(teamId, hash, stored, undefined, timestamp(service.now()));
    return (await service.database.transact([write])) ? true : lostRace;
  });
  return { removed, contact_ids };
}

/** The contact has not left. True if it had. */
const takenBack = (service: SuppressionService, teamId: string, id: string, hash: string): Promise<boolean> =>
  untilWritten(service, 'too many conflicts on a contact', async () => {
    const stored = await loadContact(service.database, teamId, id);
    if (stored?.leftAt === undefined) return false;
    await journaled(service, teamId, { hash, change: 'removed', for: 'marketing', contact_id: id });
    const marks = { left_at: undefined, returned_at: timestamp(service.now()) };
    const writes = writesOfContact(teamId, stored.contact, stored, [], { writer: 'admin', marks });
    return (await service.database.transact(writes)) ? true : lostRace;
  });

/** The contacts whose address on file is this one, however it is spelled. */
async function* contactsWith(service: SuppressionService, teamId: string, address: string, hash: string) {
  const { database } = service;
  // The domain can be spelled otherwise, but not the name before it.
  const search = address.trim().slice(0, address.trim().lastIndexOf('@') + 1);
  const walk = walkDirectory(database, { teamId, search, direction: 'asc', expected: entriesAtOnce });
  for await (const entries of chunksFrom(walk, entriesAtOnce)) {
    const ids = entries.map(({ id }) => id);
    for (const stored of await loadContacts(database, teamId, ids)) {
      if (stored && (await hashOf(service, teamId, stored.contact.email)) === hash) yield stored.contact.id;
    }
  }
}

export type JournalService = SuppressionService & Pick<ContactService, 'content'>;

/**
 * Applies the journal to the table, after a restore of the table to an earlier time: who has left since then has left. Who
 * has come back has not left any more, but is opted in only if the table says so. It can be repeated.
 * @returns the number of entries
 */
export async function applyJournal(service: JournalService, teamId: string): Promise<number> {
  const entries: JournalEntry[] = [];
  for await (const entry of service.journal.entries(teamId)) entries.push(entry);
  entries.sort((a, b) => (a.at < b.at ? -1 : 1));
  const addresses = new Map<string, SuppressionEntry | undefined>();
  const contacts = new Map<string, string | undefined>();
  for (const { hash, contact_id, change, for: scope, reason = 'unsubscribed', at } of entries) {
    const before = hash === undefined ? undefined : addresses.get(hash);
    const left = scope === 'all' || !before?.all ? undefined : { all: before.all };
    if (hash !== undefined) addresses.set(hash, change === 'added' ? listedIn(before, { scope, reason, at }) : left);
    if (contact_id === undefined) continue;
    if (reason === 'erased') contacts.delete(contact_id);
    if (change === 'added' && reason !== 'unsubscribed') continue;
    contacts.set(contact_id, change === 'added' ? at : undefined);
  }
  for (const [hash, entry] of addresses) await applyAddress(service, teamId, hash, entry);
  for (const [id, leftAt] of contacts) await applyContact(service, teamId, id, leftAt);
  return entries.length;
}

const applyAddress = (service: SuppressionService, teamId: string, hash: string, entry: SuppressionEntry | undefined) =>
  untilWritten(service, 'too many conflicts on a listed address', async () => {
    const [stored] = await loadSuppressions(service.database, teamId, [hash]);
    const isSame = stored?.marketing?.at === entry?.marketing?.at && stored?.all?.at === entry?.all?.at;
    if (isSame) return undefined;
    const write = writeOfSuppression(teamId, hash, stored, entry, timestamp(service.now()));
    return (await service.database.transact([write])) ? undefined : lostRace;
  });

const applyContact = (service: JournalService, teamId: string, id: string, leftAt: string | undefined) =>
  untilWritten(service, 'too many conflicts on a contact', async () => {
    const [stored, lookups] = await Promise.all([
      loadContact(service.database, teamId, id),
      service.content.lookups(teamId),
    ]);
    // It may be younger than its leaving: an upsert after the restore has made it again.
    if (!stored) return undefined;
    const isOut = leftAt !== undefined && stored.contact.email_opted_in !== false;
    if (!isOut && (stored.leftAt === undefined) === (leftAt === undefined)) return undefined;
    const contact = isOut
      ? { ...stored.contact, email_opted_in: false, updated_at: timestamp(service.now()) }
      : stored.contact;
    const writes = writesOfContact(teamId, contact, stored, lookups, { writer: 'admin', marks: { left_at: leftAt } });
    return (await service.database.transact(writes)) ? undefined : lostRace;
  });

/** @throws Problem `validation_failed` */
async function requiredHash(service: SuppressionService, teamId: string, address: string): Promise<string> {
  const hash = await hashOf(service, teamId, address);
  if (hash === undefined) throw new Problem('validation_failed', [{ path: 'address', message: 'is no email address' }]);
  return hash;
}
