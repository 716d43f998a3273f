import * as z from 'zod';
import { chunksOf, type Database, type Item, type Upsert, type Write } from './database.ts';
import { uuid5 } from './digest.ts';
import {
  type CompletionWorkKind,
  completionWorkKey,
  completionWorkPartition,
  type Key,
  timeOfCompletionWork,
} from './keys.ts';
import { itemReader } from './stored-item.ts';

/**
 * The lane of a team: what the publisher must still look at to record completions. Contacts come before accounts, so that
 * an account with very many holders does not delay the contacts of others. Items hold ids and account numbers only.
 */
export type CompletionWork = Key & {
  /** When it was stored, ISO 8601. */
  at: string;
} & ({ contactIds: string[] } | { accountNumber: string; after: string | undefined });

/** What is left to look at. */
export type WaitingFacts = { contactIds: readonly string[]; accountNumbers: readonly string[] };

/** Contacts of one item: 15 KB. */
const contactsOfItem = 400;

/** Inserts of work. The same work at the same time is one item, so a repeat of an invocation adds little. */
export function completionWork(teamId: string, at: string, { contactIds, accountNumbers }: WaitingFacts): Upsert[] {
  const insertion = (kind: CompletionWorkKind, content: { contacts: string } | { account_number: string }): Upsert => {
    const key = completionWorkKey(teamId, kind, at, uuid5(JSON.stringify(content), teamId));
    return { kind: 'insert', item: { ...key, ...content } };
  };
  return [
    ...chunksOf(contactIds, contactsOfItem).map((ids) => insertion('CONTACTS', { contacts: ids.join(' ') })),
    ...accountNumbers.map((account_number) => insertion('HOLDERS', { account_number })),
  ];
}

const workItem = itemReader(
  'work on completions',
  z.union([z.object({ contacts: z.string() }), z.object({ account_number: z.string(), after: z.string().optional() })]),
);

function workOf(item: Item): CompletionWork {
  const { pk, sk } = item;
  const stored = workItem(item);
  const base = { pk, sk, at: timeOfCompletionWork(item) };
  if ('contacts' in stored) return { ...base, contactIds: stored.contacts.split(' ') };
  return { ...base, accountNumber: stored.account_number, after: stored.after };
}

/** The work that is next in the team's lane; `undefined` if the lane is empty. */
export async function nextCompletionWork(database: Database, teamId: string): Promise<CompletionWork | undefined> {
  const { items } = await database.query({ pk: completionWorkPartition(teamId), limit: 1 });
  return items[0] && workOf(items[0]);
}

/**
 * Ends a step of the work: `after` is where the walk over the holders goes on, and without it the work is done.
 * @param left what is left of it, as work of its own
 * @returns false if another worker was first
 */
export async function endCompletionWork(
  database: Database,
  work: CompletionWork,
  after: string | undefined,
  left: readonly Upsert[],
): Promise<boolean> {
  const { pk, sk } = work;
  const expect = 'accountNumber' in work ? { after: work.after } : {};
  const end: Write =
    after === undefined
      ? { kind: 'delete', key: { pk, sk }, expect }
      : { kind: 'update', key: { pk, sk }, set: { after }, expect };
  return database.transact([end, ...left]);
}
