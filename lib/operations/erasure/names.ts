import { moveLinks } from '../../store/accounts/accounts.ts';
import { loadByUniqueId, type Resolved } from '../../store/contacts/contacts.ts';
import { loadIdentityItems } from '../../store/contacts/identities.ts';
import { endMove, loadNamedContacts, type NamedContact } from '../../store/contacts/renames.ts';
import type { PersonName } from '../../store/erasure/erasures.ts';
import { loadClaimState } from '../../store/imports/claims.ts';
import type { Database } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

export type Person = Resolved & { names: PersonName[] };

/** The contact with this value, if it exists, and all values that it has had. */
export function findPerson(service: Service, teamId: string, uniqueId: string): Promise<Person> {
  const { database } = service;
  return untilWritten(service, 'the contact is being renamed', async () => {
    const found = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId);
    if (!found) return lostRace;
    return { ...found, names: [{ unique_id: uniqueId }, ...(found.stored?.former ?? [])] };
  });
}

/** Completes an interrupted change of the `unique_id`, so that all links of the contact are under one id. */
export const settleNames = async (service: Service, teamId: string, uniqueId: string): Promise<void> =>
  finishMoves(service, teamId, await loadNamedContacts(service.database, teamId, [uniqueId]));

/** The order number of the team's last accepted chunk. */
export async function lastOrder(database: Database, teamId: string): Promise<number> {
  const { counter } = await loadClaimState(database, teamId, {});
  return counter.last_order;
}

/** The values that named the person at that time. A former value counts until it was changed. */
export function namesAt(names: readonly PersonName[], at: string): ReadonlySet<string> {
  return new Set(names.filter(({ until }) => until === undefined || at < until).map(({ unique_id }) => unique_id));
}

/** Moves links that are still stored under the contact ids that these values named before a rename. */
export async function finishMoves(service: Service, teamId: string, values: readonly NamedContact[]): Promise<void> {
  const { database } = service;
  for (const { uniqueId, identity } of values) {
    if (identity?.moving_from === undefined) continue;
    const { moving_from: from, contact_id: to } = identity;
    await untilWritten(service, 'too many conflicts on the links', async (round) => {
      const [present] = round === 0 ? [identity] : await loadIdentityItems(database, teamId, [uniqueId]);
      if (present?.moving_from !== from || present.contact_id !== to) return undefined;
      return (await moveLinks(database, teamId, { uniqueId, from, to })) ? undefined : lostRace;
    });
    await endMove(database, teamId, uniqueId, identity);
  }
}
