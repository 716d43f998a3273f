import * as z from 'zod';
import {
  type Account,
  type AccountState,
  closedDateOf,
  hasSameProduct,
  type LinkState,
} from '../../domain/accounts/account.ts';
import { accountFieldNames } from '../../domain/accounts/account-field-table.ts';
import type { AccountFields } from '../../domain/accounts/account-fields.ts';
import { type ImportData, isAccount, isLink, type LinkData } from '../../domain/imports/import-item.ts';
import type { MergeDecision, StampedItem } from '../../domain/imports/import-merge.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { isContact } from '../contacts/contacts.ts';
import { type Attributes, all, type Database, type Item, readAll, type Upsert, type Write } from '../table/database.ts';
import { derivedAccountId } from '../table/ids.ts';
import {
  accountKey,
  accountNumberOfLink,
  contactPartition,
  identityKey,
  isLinkKey,
  type Key,
  linkKey,
  linkPrefix,
  linksAndContact,
} from '../table/keys.ts';
import { itemReader, jsonText, storedMetadata, storedTime } from '../table/stored-item.ts';
import { type Holder, holderInsertions, holderRemovals } from './holders.ts';

const stamp = { order: z.int(), outcomes: z.string() };

const isFieldValue = (value: unknown) => value === null || typeof value === 'string' || typeof value === 'number';
/** One check for all fields: a schema for each would take longer than parsing the JSON. */
export const storedAccountFields = z.custom<AccountFields>(isJsonObject).check(({ value, issues }) => {
  for (const [name, field] of Object.entries(value)) {
    if (!isFieldValue(field)) issues.push({ code: 'custom', path: [name], input: field });
  }
});
const accountData = z.object({
  product_code: z.string(),
  fields: storedAccountFields,
  meta_public: storedMetadata.nullable().default(null),
  meta_private: storedMetadata.nullable().default(null),
});
const linkData = z.object({ role: z.string().nullable(), product_code: z.string().optional() });

/**
 * Accounts and links have the same form: `data` holds the account or link as JSON text, and the stamp is from the chunk
 * that last wrote or confirmed the item. The order number is the version, because a chunk writes an item once. Only a
 * move of links can change the data of a link under the same number, so a link is written on the condition of its data
 * too. An item that an administrator removed keeps only its stamp.
 */
const stampedAccount = itemReader(
  'account',
  z.object({
    ...stamp,
    data: jsonText(accountData).optional(),
    holders: z.string().optional(),
    closed_at: storedTime.optional(),
  }),
);
const stampedLink = itemReader('link', z.object({ ...stamp, data: jsonText(linkData).optional() }));

/**
 * An account or link as it is stored. An account can name contacts that are linked to it; see `holders.ts`. A link has
 * its data as the stored text too.
 */
export type StoredTarget = StampedItem<ImportData> & {
  holders?: string | undefined;
  closed_at?: string | undefined;
  text?: unknown;
  removed_at?: string | undefined;
};

const stampedOf = (item: Item): StoredTarget =>
  isLinkKey(item)
    ? { ...stampedLink(item), text: item.data, ...(item.data === undefined ? { removed_at: removedAt(item) } : {}) }
    : stampedAccount(item);

const textOf = (data: ImportData): string => (isLink(data) ? serializeLink(data) : serializeAccount(data));

const serializeLink = ({ role, product_code }: LinkData): string => JSON.stringify({ role, product_code });

/** The account as JSON text. Equal accounts give equal texts. */
export function serializeAccount({ fields, product_code, meta_public, meta_private }: Account): string {
  const set = accountFieldNames.filter((name) => fields[name] != null).map((name) => [name, fields[name]]);
  return JSON.stringify({
    product_code,
    fields: Object.fromEntries(set),
    ...(meta_public ? { meta_public } : {}),
    ...(meta_private ? { meta_private } : {}),
  });
}

/** The account that is stored in this item; `undefined` if it was removed. @throws InvalidStoredItem */
export const accountOf = (item: Item): Account | undefined => stampedAccount(item).data;

const accountTimes = itemReader('account', z.object({ inserted_at: storedTime, product_at: storedTime.optional() }));

/**
 * Times of an account or a link. `closed_at` of an account: when its `closed_date` was first stored. `unlinked_at` of a
 * link: when an earlier link of the two was removed.
 */
export const stampTimes = itemReader(
  'account',
  z.object({
    inserted_at: storedTime,
    updated_at: storedTime.optional(),
    closed_at: storedTime.optional(),
    unlinked_at: storedTime.optional(),
    data: z.unknown().optional(),
  }),
);

/** When the account or link was removed. A removed one was changed after it was stored, and a note never existed. */
export function removedAt(item: Item): string | undefined {
  const { inserted_at, updated_at, data } = stampTimes(item);
  return data === undefined && updated_at !== inserted_at ? updated_at : undefined;
}

/** `undefined` if it was never stored. */
function stateOf(item: Item): Omit<AccountState & LinkState, 'id' | 'contactId'> | undefined {
  const { inserted_at, closed_at, unlinked_at, data } = stampTimes(item);
  const removed_at = removedAt(item);
  return data === undefined && removed_at === undefined
    ? undefined
    : { inserted_at, removed_at, closed_at, unlinked_at };
}

/** These accounts, also removed ones, in the same order. */
export async function loadAccountStates(
  database: Database,
  teamId: string,
  numbers: readonly string[],
): Promise<(AccountState | undefined)[]> {
  const keys = numbers.map((number) => accountKey(teamId, number));
  const states = await readAll(database, keys, stateOf);
  return states.map((state, index) => state && { id: derivedAccountId(teamId, numbers[index]!), ...state });
}

/** These links, also removed ones, in the same order. */
export async function loadLinkStates(
  database: Database,
  teamId: string,
  links: readonly Holder[],
): Promise<(LinkState | undefined)[]> {
  const keys = links.map(({ contactId, accountNumber }) => linkKey(teamId, contactId, accountNumber));
  const states = await readAll(database, keys, stateOf);
  return states.map((state, index) => state && { contactId: links[index]!.contactId, ...state });
}

/** The time since which the account that is stored in this item has had its product and its closing date. */
export function productSince(item: Item): string {
  const { inserted_at, product_at = inserted_at } = accountTimes(item);
  return product_at;
}

/** An item that a chunk writes to, with its stored value and the merge decision. */
export type MergedItem = {
  key: Key;
  stored: StoredTarget | undefined;
  decision: MergeDecision<ImportData>;
  /** For a new account: the contacts that the chunk links to it. */
  holders?: string | undefined;
};

export const loadStampedItems = (database: Database, keys: readonly Key[]): Promise<(StoredTarget | undefined)[]> =>
  readAll(database, keys, stampedOf);

/**
 * Writes the merged items, each on the condition that it is still as it was read, and what is written beside them.
 * @returns false for each item that has changed since: read and merge it again.
 */
export async function saveMerged(
  database: Database,
  merged: readonly MergedItem[],
  now: string,
  beside: readonly Upsert[] = [],
): Promise<boolean[]> {
  const writes = [...merged.flatMap((each) => writeOf(each, now)), ...beside];
  const written = writes.length > 0 ? await database.write(writes) : [];
  return written.slice(0, merged.length);
}

function writeOf({ key, stored, decision: { write }, holders }: MergedItem, now: string): Upsert[] {
  if (!write) return [];
  const { data, ...stamped } = write;
  const text = data === null ? undefined : data && textOf(data);
  const closing = isFirstClosing(data ?? undefined, stored) ? { closed_at: now } : {};
  const set = data === undefined ? stamped : { ...stamped, data: text, updated_at: now, ...closing };
  if (!stored) return [{ kind: 'insert', item: { ...key, ...set, inserted_at: now, holders } }];
  return [
    {
      kind: 'update',
      key,
      set: { ...set, ...timeOf(data ?? undefined, stored, now) },
      expect: { order: stored.order, ...(isLinkKey(key) ? { data: stored.text } : {}) },
    },
  ];
}

/** True if the account has a `closed_date` for the first time, also one in the future. */
const isFirstClosing = (data: ImportData | undefined, stored: StoredTarget | undefined): boolean =>
  isAccount(data) &&
  closedDateOf(data) !== null &&
  stored?.closed_at === undefined &&
  !(isAccount(stored?.data) && closedDateOf(stored.data) !== null);

/** The time of a change that can complete pages: the product of the account is another one, or what was removed is back. */
function timeOf(data: ImportData | undefined, { data: before, removed_at }: StoredTarget, now: string): Attributes {
  if (isLink(data)) return before ? {} : { inserted_at: now, unlinked_at: removed_at };
  return isAccount(data) && !(isAccount(before) && hasSameProduct(data, before)) ? { product_at: now } : {};
}

export type Link = LinkData & { account_number: string; inserted_at: string };

/** A contact's links by account number, and whether the contact itself exists: one query. */
export async function loadLinks(
  database: Database,
  teamId: string,
  contactId: string,
): Promise<{ exists: boolean; links: Link[] }> {
  const items = await all(database, { pk: contactPartition(teamId, contactId), ...linksAndContact });
  return {
    exists: items.some((item) => item.sk === linksAndContact.to && isContact(item)),
    links: items.filter((item) => item.sk !== linksAndContact.to).flatMap(linksOf),
  };
}

/** The link that is stored in this item; none if it was removed. @throws InvalidStoredItem */
export function linksOf(item: Item): Link[] {
  const { data } = stampedLink(item);
  return data ? [{ account_number: accountNumberOfLink(item), ...linkTimes(item), ...data }] : [];
}

const linkTimes = itemReader('link', z.object({ inserted_at: storedTime }));

/** Links that one transaction moves. With their holders, each takes up to six writes, and a transaction has at most 100. */
const linksPerTransaction = 16;

/**
 * Moves the links of one contact to another, a limited number in each transaction. Each link is stored exactly once at
 * any time, so it is safe to stop and start again, and to run this twice at the same time.
 * @param move the `unique_id` whose identity item says that links move: the condition of each transaction, so that
 * nothing is moved to a contact that was erased in between
 * @returns false if another write changed one of these links in between, or the move has ended: read again.
 */
export async function moveLinks(
  database: Database,
  teamId: string,
  { uniqueId, from, to }: { uniqueId: string; from: string; to: string },
): Promise<boolean> {
  const expect = { contact_id: to, moving_from: from };
  const check: Write = { kind: 'check', key: identityKey(teamId, uniqueId), expect };
  for (;;) {
    const { items } = await database.query({
      pk: contactPartition(teamId, from),
      prefix: linkPrefix,
      limit: linksPerTransaction,
    });
    if (items.length === 0) return true;
    const numbers = items.map(accountNumberOfLink);
    const keys = numbers.map((number) => linkKey(teamId, to, number));
    const held = await database.get(keys);
    const moves = items.flatMap((item, index) => moveOf(item, keys[index]!, held[index]));
    const holders = numbers.map((accountNumber) => ({ accountNumber, contactId: to, isKnown: false }));
    const additions = await missing(database, holderInsertions(teamId, holders));
    const former = numbers.map((accountNumber) => ({ accountNumber, contactId: from }));
    const removals = await holderRemovals(database, teamId, former);
    if (!(await database.transact([check, ...moves, ...additions, ...removals.flat()]))) return false;
  }
}

/** The inserts of items that do not exist, and for the others the condition that they still do. */
async function missing(database: Database, inserts: readonly Upsert[]): Promise<Write[]> {
  const keys = inserts.map((write) => (write.kind === 'insert' ? write.item : write.key));
  const items = await database.get(keys);
  return inserts.map((write, index) => {
    const item = items[index];
    return item ? { kind: 'check', key: { pk: item.pk, sk: item.sk }, expect: {} } : write;
  });
}

function moveOf(link: Item, key: Key, held: Item | undefined): Write[] {
  const { pk, sk, unlinked_at: _, ...attributes } = link;
  const { order } = stampedLink(link);
  const removal: Write = { kind: 'delete', key: { pk, sk }, expect: { order } };
  if (!held) return [removal, { kind: 'insert', item: { ...key, ...attributes } }];
  const set = mergedLink(link, held);
  const expect = { order: stampedLink(held).order, data: held.data };
  return [removal, ...(set ? [{ kind: 'update' as const, key, set, expect }] : [])];
}

/**
 * The changes to a contact's link when another link to the same account is merged into it. The link that was written
 * later wins; if it has no role, it takes the role of the earlier one. A removed link leaves the other as it is.
 * `undefined` if nothing changes.
 */
function mergedLink(moved: Item, held: Item): Attributes | undefined {
  const [mine, theirs] = [stampedLink(moved), stampedLink(held)];
  const isLater = mine.order >= theirs.order;
  const [later, earlier] = isLater ? [mine.data, theirs.data] : [theirs.data, mine.data];
  const merged = later && earlier ? { ...later, role: later.role ?? earlier.role } : (later ?? earlier);
  const data = merged && serializeLink(merged);
  const since = mine.data && !theirs.data ? { inserted_at: moved.inserted_at, unlinked_at: removedAt(held) } : {};
  if (isLater) return { data, order: mine.order, outcomes: mine.outcomes, updated_at: moved.updated_at, ...since };
  return data === held.data ? undefined : { data, ...since };
}

/**
 * Inserts notes, which have no data, for links that do not exist: an erasure then finds holders whose link was not
 * written.
 * @param order of the chunk that may write the links, or their holders
 */
export async function noteLinks(database: Database, keys: readonly Key[], order: number, now: string): Promise<void> {
  await database.write(
    keys.map((key) => ({ kind: 'insert', item: { ...key, order, outcomes: '', inserted_at: now } })),
  );
}

/** Links to these accounts, of a chunk with this order number. */
export type LateLinks = { order: number; account_numbers: readonly string[] };

/** True for such a note. */
export const isLinkNote = (item: Item): boolean => isLinkKey(item) && item.outcomes === '';

/** The accounts in the order of the numbers; `undefined` for an account that does not exist. */
export const loadAccounts = (database: Database, teamId: string, numbers: readonly string[]) => {
  const keys = numbers.map((number) => accountKey(teamId, number));
  return readAll(database, keys, accountOf);
};
