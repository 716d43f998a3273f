import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { loadClaimState } from '../../../../lib/store/claims.ts';
import { loadByUniqueId, type Resolved } from '../../../../lib/store/contacts.ts';
import type { Database } from '../../../../lib/store/database.ts';
import type { PersonName } from '../../store/erasures.ts';
import { loadNamedContacts } from '../../store/renames.ts';
import { finishMoves } from '../change-unique-id.ts';

export type PersonDependencies = Pick<Service, 'database' | 'now' | 'newId' | 'pause'>;

export type Person = Resolved & { names: PersonName[] };

/** The contact with this value, if it exists, and all values that it has had. */
export function findPerson(dependencies: PersonDependencies, teamId: string, uniqueId: string): Promise<Person> {
  const { database } = dependencies;
  return untilWritten(dependencies, 'the contact is being renamed', async () => {
    const found = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId);
    if (!found) return lostRace;
    return { ...found, names: [{ unique_id: uniqueId }, ...(found.stored?.former ?? [])] };
  });
}

/** Completes an interrupted change of the `unique_id`, so that all links of the contact are under one id. */
export const settleNames = async (dependencies: PersonDependencies, teamId: string, uniqueId: string): Promise<void> =>
  finishMoves(dependencies, teamId, await loadNamedContacts(dependencies.database, teamId, [uniqueId]));

/** The order number of the team's last accepted chunk. */
export async function lastOrder(database: Database, teamId: string): Promise<number> {
  const { counter } = await loadClaimState(database, teamId, {});
  return counter.last_order;
}

/** The values that named the person at that time. A former value counts until it was changed. */
export function namesAt(names: readonly PersonName[], at: string): ReadonlySet<string> {
  return new Set(names.filter(({ until }) => until === undefined || at < until).map(({ unique_id }) => unique_id));
}
