import * as z from 'zod';
import { all, type Database, type Item, type Upsert, type Write } from '../table/database.ts';
import { accountKey, contactIdOfHolder, holderKey, holdersKey, isHolderKey } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

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
const holdersOf = (account: Item): string[] => idsIn(holdersItem(account).holders);

export type Holder = { accountNumber: string; contactId: string };

/** `isKnown`: the account exists. */
export type NewHolder = Holder & { isKnown: boolean };

/**
 * Inserts of holders beside their accounts. Where it is not known that the account exists, they also insert a note, for
 * the reader of the new account.
 */
export function holderInsertions(teamId: string, holders: readonly NewHolder[]): Upsert[] {
  const noted = new Set(holders.filter(({ isKnown }) => !isKnown).map(({ accountNumber }) => accountNumber));
  const keys = [
    ...holders.map(({ accountNumber, contactId }) => holderKey(teamId, accountNumber, contactId)),
    ...[...noted].map((accountNumber) => holdersKey(teamId, accountNumber)),
  ];
  return keys.map((item) => ({ kind: 'insert', item }));
}

/** All contacts that can be linked to the account: one query. */
export const loadHolders = async (database: Database, teamId: string, accountNumber: string): Promise<string[]> =>
  contactIdsIn(await all(database, { pk: accountKey(teamId, accountNumber).pk }));

/**
 * The same for a page of at most `limit` items, after this sort key and up to that one. The account itself names those of
 * one chunk. `next` is the `after` of the next page, if there is one.
 */
export async function holdersPage(
  database: Database,
  teamId: string,
  accountNumber: string,
  { limit, after, to }: { limit: number; after?: string | undefined; to?: string },
): Promise<{ contactIds: string[]; next?: string }> {
  const query = { pk: accountKey(teamId, accountNumber).pk, limit, ...(to === undefined ? {} : { to }) };
  const { items, ...page } = await database.query(after === undefined ? query : { ...query, after });
  return { ...page, contactIds: contactIdsIn(items) };
}

const contactIdsIn = (items: readonly Item[]): string[] => [
  ...new Set(items.flatMap((item) => (isHolderKey(item) ? [contactIdOfHolder(item)] : holdersOf(item)))),
];

/** Returns the numbers of new accounts to which contacts can have been linked before. */
export type EarlierHolders = () => Promise<ReadonlySet<string>>;

/**
 * Of these new accounts, those to which contacts can have been linked before: one read of a key for each, when it is asked
 * first. Most accounts of an import have no such holders: their links are stored after them, and are changes of their own.
 */
export function earlierHolders(database: Database, teamId: string, accountNumbers: readonly string[]): EarlierHolders {
  let found: Promise<ReadonlySet<string>> | undefined;
  const read = async () => {
    const items = await database.get(accountNumbers.map((accountNumber) => holdersKey(teamId, accountNumber)));
    return new Set(accountNumbers.filter((_, index) => items[index]));
  };
  return () => {
    found ??= read();
    return found;
  };
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
