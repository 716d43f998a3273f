import * as z from 'zod';
import { type Database, type Item, readAll } from '../table/database.ts';
import { derivedContactId } from '../table/ids.ts';
import { identityKey } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

const identitySchema = z.object({
  contact_id: z.string(),
  /**
   * While links are being moved to the contact: the id under which they were stored, and the contact's old `unique_id`.
   */
  moving_from: z.string().optional(),
  renamed_from: z.string().optional(),
});
export type Identity = z.output<typeof identitySchema>;

const identityOf = itemReader('identity', identitySchema);

/** The identity items in the order of the values; `undefined` for a value that was never part of a rename. */
export const loadIdentityItems = (database: Database, teamId: string, uniqueIds: readonly string[]) => {
  const keys = uniqueIds.map((uniqueId) => identityKey(teamId, uniqueId));
  return readAll(database, keys, identityOf);
};

/** The id of the contact that the identity item names; `undefined` without an item. */
export const contactIdOf = (identity: Item | undefined): string | undefined =>
  identity && identityOf(identity).contact_id;

/**
 * The contact id of each `unique_id`: from its identity item if it has been part of a rename, otherwise the derived id.
 */
export async function loadIdentities(
  database: Database,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(uniqueIds)];
  const items = await loadIdentityItems(database, teamId, distinct);
  return new Map(
    distinct.map((uniqueId, index) => [uniqueId, items[index]?.contact_id ?? derivedContactId(teamId, uniqueId)]),
  );
}
