import * as z from 'zod';
import type { Database } from './database.ts';
import { derivedContactId, identityKey } from './keys.ts';

const identitySchema = z.object({ contact_id: z.string() });

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
    distinct.map((uniqueId, position) => {
      const item = items[position];
      return [uniqueId, item ? identitySchema.parse(item).contact_id : derivedContactId(teamId, uniqueId)];
    }),
  );
}
