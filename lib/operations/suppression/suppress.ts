import { addressHash, markOf } from '../../auth/address-hash.ts';
import { listedIn, type SuppressionReason, type SuppressionScope } from '../../domain/suppression/suppression.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { JournalEntry } from '../../store/suppression/journal.ts';
import { markOfList } from '../../store/suppression/list-secret.ts';
import { loadSuppressions, writeOfSuppression } from '../../store/suppression/suppression.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ContactService, SuppressionService } from '../service.ts';

/** The keyed hash of an address; `undefined` if messages are off, or the text is no address. */
export async function hashOf(
  { messages }: Pick<ContactService, 'messages'>,
  teamId: string,
  email: string | null,
): Promise<string | undefined> {
  return messages && email !== null ? addressHash(await messages.secret(), teamId, email) : undefined;
}

/** Those of these addresses that are listed. One read for all of them. */
export async function listedAmong(
  service: Pick<ContactService, 'messages' | 'database'>,
  teamId: string,
  emails: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const known = new Map<string, string[]>();
  for (const email of new Set(emails)) {
    const hash = await hashOf(service, teamId, email);
    if (hash !== undefined) known.set(hash, [...(known.get(hash) ?? []), email!]);
  }
  if (known.size === 0) return new Set();
  const hashes = [...known.keys()];
  const entries = await loadSuppressions(service.database, teamId, hashes);
  return new Set(hashes.flatMap((hash, index) => (entries[index] ? known.get(hash)! : [])));
}

/** `contactId`: the contact by which the address is listed, for the journal. */
export type SuppressionChange = {
  scope: SuppressionScope;
  reason: SuppressionReason;
  contactId?: string | undefined;
};

/**
 * Whether the list of the team was made with this secret, which is noted with its first use. With another one nobody who
 * has left would be found.
 */
export async function isSecretOfList(
  { database, messages }: Pick<SuppressionService, 'database' | 'messages'>,
  teamId: string,
): Promise<boolean> {
  const mark = markOf(await messages.secret());
  return (await markOfList(database, teamId, mark)) === mark;
}

/** Adds a change of the list to the journal. Nothing is acknowledged before this. */
export async function journaled(
  { journal, now, newId, ...service }: SuppressionService,
  teamId: string,
  entry: Pick<JournalEntry, 'hash' | 'change' | 'for' | 'reason' | 'contact_id' | 'note'>,
): Promise<void> {
  const [at, id] = [timestamp(now()), newId()];
  await isSecretOfList(service, teamId);
  await journal.add({ format: 1, at, team_id: teamId, id, ...entry });
}

/**
 * Lists an address, in the journal and in the table. Without effect if it is listed already.
 * @throws StoreUnavailable if the journal or the table cannot be written: then nothing may be acknowledged
 */
export async function suppress(
  service: SuppressionService,
  teamId: string,
  hash: string,
  { scope, reason, contactId }: SuppressionChange,
): Promise<boolean> {
  const { database, now } = service;
  let isJournaled = false;
  return untilWritten(service, 'too many conflicts on a listed address', async () => {
    const [stored] = await loadSuppressions(database, teamId, [hash]);
    if (stored?.[scope]) return false;
    if (!isJournaled) {
      await journaled(service, teamId, { hash, change: 'added', for: scope, reason, contact_id: contactId });
      isJournaled = true;
    }
    const at = timestamp(now());
    const next = listedIn(stored, { scope, reason, at });
    const write = writeOfSuppression(teamId, hash, stored, next, at);
    return (await database.transact([write])) ? true : lostRace;
  });
}
