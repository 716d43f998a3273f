import {
  type Suppression,
  type SuppressionEntry,
  suppressionEntry,
  suppressionOf,
} from '../../domain/suppression/suppression.ts';
import { type Database, type Item, readAll, type Write } from '../table/database.ts';
import { suppressedKey, suppressedListKey } from '../table/keys.ts';
import { itemReader, storedVersion } from '../table/stored-item.ts';

/** An entry of the list, and its version as the condition of the next write. */
export type StoredSuppression = SuppressionEntry & { version: number };

const suppressedItem = itemReader('suppressed address', suppressionEntry.extend({ version: storedVersion }));

export const storedSuppression = (item: Item): StoredSuppression => suppressedItem(item);

/** The entries of these addresses in the same order; `undefined` if an address is not listed. */
export const loadSuppressions = (database: Database, teamId: string, hashes: readonly string[]) => {
  const keys = hashes.map((hash) => suppressedKey(teamId, hash));
  return readAll(database, keys, storedSuppression);
};

/** Whether the address with this hash is listed. Strongly consistent. */
export const loadSuppression = async (database: Database, teamId: string, hash: string): Promise<Suppression> =>
  suppressionOf((await loadSuppressions(database, teamId, [hash]))[0]);

/**
 * The write of an entry, on the condition that it is still as it was read, or absent.
 * @param at time of the change: the place in the list
 */
export function writeOfSuppression(
  teamId: string,
  hash: string,
  stored: StoredSuppression | undefined,
  next: SuppressionEntry | undefined,
  at: string,
): Write {
  const key = suppressedKey(teamId, hash);
  const { marketing, all } = next ?? {};
  if (stored && !next) return { kind: 'delete', key, expect: { version: stored.version } };
  const set = { marketing, all, ...suppressedListKey(teamId, hash, at) };
  return stored
    ? { kind: 'update', key, set: { ...set, version: stored.version + 1 }, expect: { version: stored.version } }
    : { kind: 'insert', item: { ...key, ...set, version: 1 } };
}

/** For a transaction that is written only if the entry is still as it was read, or still absent. */
export const suppressionCheck = (teamId: string, hash: string, stored: StoredSuppression | undefined): Write => {
  const key = suppressedKey(teamId, hash);
  return stored ? { kind: 'check', key, expect: { version: stored.version } } : { kind: 'absent', key };
};
