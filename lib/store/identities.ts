import * as z from 'zod';
import type { Database, Item } from './database.ts';
import { derivedContactId, identityKey } from './keys.ts';
import { itemReader } from './stored-item.ts';

const identitySchema = z.object({
  contact_id: z.string(),
  /** While links are on their way to the contact: the id that they were stored under, and the contact's old value. */
  moving_from: z.string().optional(),
  renamed_from: z.string().optional(),
});
export type Identity = z.output<typeof identitySchema>;

const identityOf = itemReader('identity', identitySchema);

/** Of each value, `undefined` where it was never part of a rename. */
export async function loadIdentityItems(
  database: Database,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<(Identity | undefined)[]> {
  const items = await database.get(uniqueIds.map((uniqueId) => identityKey(teamId, uniqueId)));
  return items.map((item) => item && identityOf(item));
}

/** The contact that the identity item names, where there is one: the `unique_id` has been part of a rename. */
export const contactIdOf = (identity: Item | undefined): string | undefined =>
  identity && identityOf(identity).contact_id;

/**
 * The contact that each `unique_id` names: what its identity item says, where a rename has left one, and the derived id
 * everywhere else.
 */
export async function loadIdentities(
  database: Database,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(uniqueIds)];
  const items = await database.get(distinct.map((uniqueId) => identityKey(teamId, uniqueId)));
  return new Map(
    distinct.map((uniqueId, index) => [uniqueId, contactIdOf(items[index]) ?? derivedContactId(teamId, uniqueId)]),
  );
}
