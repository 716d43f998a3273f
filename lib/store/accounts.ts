import * as z from 'zod';
import type { Account } from '../domain/account.ts';
import { accountFields } from '../domain/account-fields.ts';
import { readJson } from '../domain/json.ts';
import type { Judgement, Stamped } from '../domain/judgement.ts';
import { isContact } from './contacts.ts';
import { type Attributes, all, type Database, type Item, type Upsert, type Write } from './database.ts';
import {
  accountKey,
  accountNumberOfLink,
  contactPartition,
  type Key,
  linkKey,
  linkPrefix,
  linksAndContact,
} from './keys.ts';

/**
 * Accounts and links share one form: `data`, the thing itself as one JSON text, and the stamp of the chunk that wrote
 * it last. The order number is the version: a chunk writes an item once.
 */
const stampedSchema = z.object({ data: z.string(), order: z.number(), outcomes: z.string() });

export type Judged = { key: Key; stored: Stamped | undefined; judgement: Judgement };

export async function loadStamped(database: Database, keys: readonly Key[]): Promise<(Stamped | undefined)[]> {
  return (await database.get(keys)).map((item) => item && stampedSchema.parse(item));
}

/** Writes what the judgement asks for over what it was made from. False: the item changed meanwhile, judge again. */
export async function saveJudged(database: Database, judged: readonly Judged[], now: string): Promise<boolean[]> {
  return database.write(judged.flatMap((each) => writeOf(each, now)));
}

function writeOf({ key, stored, judgement: { write } }: Judged, now: string): Upsert[] {
  if (!write) return [];
  const times = write.data === undefined ? {} : { updated_at: now };
  if (!stored) return [{ kind: 'insert', item: { ...key, ...write, inserted_at: now, ...times } }];
  return [{ kind: 'update', key, set: { ...write, ...times }, expect: { order: stored.order } }];
}

export type Link = { account_number: string; role: string | null };

const linkData = z.object({ role: z.string().nullable() });

export const serializeLink = (role: string | null): string => JSON.stringify({ role });
export const roleOf = (data: string): string | null => linkData.parse(readJson(data)).role;

/** A contact's links by account number, and whether the contact itself exists: one query. */
export async function loadLinks(
  database: Database,
  teamId: string,
  contactId: string,
): Promise<{ exists: boolean; links: Link[] }> {
  const items = await all(database, { pk: contactPartition(teamId, contactId), ...linksAndContact });
  return {
    exists: items.some((item) => item.sk === linksAndContact.to && isContact(item)),
    links: items.filter((item) => item.sk !== linksAndContact.to).map(linkOf),
  };
}

/** The link that this item is. */
export const linkOf = (item: Item): Link => ({
  account_number: accountNumberOfLink(item),
  role: roleOf(stampedSchema.parse(item).data),
});

/** Links that move in one transaction, each from its old place to its new one. */
const linksAtOnce = 40;

/**
 * Moves links on to the contact that they turned out to belong to, a bounded number at a time. Each is in exactly one
 * place at any moment, so breaking off and starting again is safe, and so is doing it twice at once.
 * @returns false when imports wrote the same links meanwhile: do it again.
 */
export async function moveLinks(database: Database, teamId: string, from: string, to: string): Promise<boolean> {
  for (;;) {
    const { items } = await database.query({
      pk: contactPartition(teamId, from),
      prefix: linkPrefix,
      limit: linksAtOnce,
    });
    if (items.length === 0) return true;
    const keys = items.map((item) => linkKey(teamId, to, accountNumberOfLink(item)));
    const held = await database.get(keys);
    const moves = items.flatMap((item, index) => moveOf(item, keys[index]!, held[index]));
    if (!(await database.transact(moves))) return false;
  }
}

function moveOf(link: Item, key: Key, held: Item | undefined): Write[] {
  const { pk, sk, ...attributes } = link;
  const { order } = stampedSchema.parse(link);
  const removal: Write = { kind: 'delete', key: { pk, sk }, expect: { order } };
  if (!held) return [removal, { kind: 'insert', item: { ...key, ...attributes } }];
  const set = joined(link, held);
  const { order: heldOrder, data } = stampedSchema.parse(held);
  return [removal, ...(set ? [{ kind: 'update' as const, key, set, expect: { order: heldOrder, data } }] : [])];
}

/**
 * What changes in a contact's link when another link to the same account joins it: the one that was written later
 * counts, and keeps the earlier one's role if it has none itself.
 */
function joined(moved: Item, held: Item): Attributes | undefined {
  const [mine, theirs] = [stampedSchema.parse(moved), stampedSchema.parse(held)];
  const isLater = mine.order >= theirs.order;
  const [later, earlier] = isLater ? [mine, theirs] : [theirs, mine];
  const data = serializeLink(roleOf(later.data) ?? roleOf(earlier.data));
  if (isLater) return { data, order: mine.order, outcomes: mine.outcomes, updated_at: moved.updated_at };
  return data === theirs.data ? undefined : { data };
}

/** The accounts in the order of the numbers; `undefined` for one that no record has described yet. */
export async function loadAccounts(
  database: Database,
  teamId: string,
  numbers: readonly string[],
): Promise<(Account | undefined)[]> {
  const stored = await loadStamped(
    database,
    numbers.map((number) => accountKey(teamId, number)),
  );
  return stored.map((item) => item && parseAccount(item.data));
}

const fieldOrder = Object.keys(accountFields) as (keyof typeof accountFields)[];

/** The account as one text, the same text for the same account. */
export function serializeAccount({ fields, product_code, meta_public, meta_private }: Account): string {
  const set = fieldOrder.filter((name) => fields[name] != null).map((name) => [name, fields[name]]);
  return JSON.stringify({
    product_code,
    fields: Object.fromEntries(set),
    ...(meta_public ? { meta_public } : {}),
    ...(meta_private ? { meta_private } : {}),
  });
}

/** What `serializeAccount` wrote. */
export function parseAccount(data: string): Account {
  const { fields = {}, product_code, meta_public = null, meta_private = null } = readJson(data) as unknown as Account;
  return { fields, product_code, meta_public, meta_private };
}
