import * as z from 'zod';
import { all, type Database, type Item, type Upsert, type Write } from './database.ts';
import { accountKey, contactIdOfHolder, holderKey, isHolderKey } from './keys.ts';
import { itemReader } from './stored-item.ts';

/**
 * The contacts that can be linked to an account. A new account names those to which its chunk links it; every other
 * contact has an item beside the account. Both are written before the link, so no link is without them. A contact that
 * is named may no longer be linked, or not yet.
 */

/** The contacts as the attribute of an account; `undefined` if there are none. */
export const holdersText = (contactIds: readonly string[]): string | undefined =>
  contactIds.length === 0 ? undefined : contactIds.join(' ');

const idsIn = (text: string | undefined): string[] => text?.split(' ') ?? [];

export const namesHolder = (holders: string | undefined, contactId: string): boolean =>
  idsIn(holders).includes(contactId);

const holdersItem = itemReader('account', z.object({ holders: z.string().optional() }));

/** The contacts that this account names itself. */
export const holdersOf = (account: Item): string[] => idsIn(holdersItem(account).holders);

export type Holder = { accountNumber: string; contactId: string };

export const holderInsertion = (teamId: string, { accountNumber, contactId }: Holder): Upsert => ({
  kind: 'insert',
  item: holderKey(teamId, accountNumber, contactId),
});

/** All contacts that can be linked to the account: one query. */
export async function loadHolders(database: Database, teamId: string, accountNumber: string): Promise<string[]> {
  const items = await all(database, { pk: accountKey(teamId, accountNumber).pk });
  return [...new Set(items.flatMap((item) => (isHolderKey(item) ? [contactIdOfHolder(item)] : holdersOf(item))))];
}

/** For each holder, writes for the transaction that deletes its link. Each must be of another account. */
export async function holderRemovals(
  database: Database,
  teamId: string,
  holders: readonly Holder[],
): Promise<Write[][]> {
  const keys = holders.flatMap(({ accountNumber, contactId }) => [
    accountKey(teamId, accountNumber),
    holderKey(teamId, accountNumber, contactId),
  ]);
  const items = await database.get(keys);
  return holders.map(({ accountNumber, contactId }, index): Write[] => {
    const [account, beside] = items.slice(2 * index, 2 * index + 2);
    const { holders: text } = account ? holdersItem(account) : {};
    const left = holdersText(idsIn(text).filter((id) => id !== contactId));
    const key = accountKey(teamId, accountNumber);
    return [
      ...(namesHolder(text, contactId)
        ? [{ kind: 'update' as const, key, set: { holders: left }, expect: { holders: text } }]
        : []),
      ...(beside ? [{ kind: 'delete' as const, key: holderKey(teamId, accountNumber, contactId), expect: {} }] : []),
    ];
  });
}
