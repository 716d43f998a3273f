import * as z from 'zod';
import type { AccountStep } from '../../domain/events/account-events.ts';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import type { JourneyKey } from '../journeys/journey-items.ts';
import { chunksOf, type Database, type Item, type Upsert, type Write } from '../table/database.ts';
import { uuid5 } from '../table/digest.ts';
import {
  type CompletionWorkKind,
  completionWorkKey,
  completionWorkPartition,
  type Key,
  timeOfCompletionWork,
} from '../table/keys.ts';
import { itemReader, jsonText, storedTime } from '../table/stored-item.ts';
import type { DueGroup, DueJourney } from '../waiting-work/due-work.ts';

/**
 * The lane of a team: what the publisher must still look at to record completions and to count, and what is due. Revisions
 * that are published come first, then changed journeys, and contacts before accounts, so that an account with very many
 * holders does not delay those of others. For the same reason, journeys that are due at one time with many others come
 * after those that are due alone. Items hold ids and account numbers only.
 */
export type CompletionWork = Key & {
  /** When it was stored, ISO 8601. */
  at: string;
} & (
    | ({ journeys: JourneyKey[] } | { contactIds: string[] } | Walk | AccountWork | { due: DueJourney[] } | PlanWork)
    | { revision: string }
  );

/** A walk over the holders of an account. `after`: how far it has come. */
type Walk = { accountNumber: string; after: string | undefined };
/** A walk that tells them of a change. */
export type AccountWork = Walk & { step: AccountStep };

/** A walk over the journeys of a template. `after`: how far it has come. */
export type PlanWork = { planOf: string; after: string | undefined };

/** What is left to look at. */
export type WaitingFacts = {
  journeys?: readonly JourneyKey[];
  contactIds?: readonly string[];
  accountNumbers?: readonly string[];
};

export const completionLane = (team_id: string): Lane => ({ work: 'completions', team_id });

/** Contacts, or journeys, of one item: 15 KB. */
const contactsOfItem = 400;
const journeysOfItem = 200;

/**
 * Inserts of work. The same work of the same origin is one item, so a repeat of an invocation adds little. Work of
 * another origin has items of its own: a worker may be about to delete an equal item, and has not seen the later change.
 * @param origin the record of the stream, or the work, of which this is left
 */
export function completionWork(
  teamId: string,
  at: string,
  origin: string,
  { journeys = [], contactIds = [], accountNumbers = [] }: WaitingFacts,
): Upsert[] {
  const insertion = (kind: CompletionWorkKind, content: Record<string, string>): Upsert => {
    const key = completionWorkKey(teamId, kind, at, uuid5(JSON.stringify([origin, content]), teamId));
    return { kind: 'insert', item: { ...key, ...content } };
  };
  const keys = journeys.map(({ contactId, templateId, accountId }) =>
    [contactId, templateId, ...(accountId === undefined ? [] : [accountId])].join(' '),
  );
  return [
    ...chunksOf(keys, journeysOfItem).map((all) => insertion('CHANGED', { journeys: all.join(',') })),
    ...chunksOf(contactIds, contactsOfItem).map((ids) => insertion('CONTACTS', { contacts: ids.join(' ') })),
    ...accountNumbers.map((account_number) => insertion('HOLDERS', { account_number })),
  ];
}

/** Inserts of work to tell the holders of an account of a change. */
export function accountWork(
  teamId: string,
  at: string,
  origin: string,
  { accountNumber: account_number, step }: Omit<AccountWork, 'after'>,
): Upsert {
  const content = { account_number, step: JSON.stringify(step) };
  const key = completionWorkKey(teamId, 'TELL', at, uuid5(JSON.stringify([origin, content]), teamId));
  return { kind: 'insert', item: { ...key, ...content } };
}

/** Inserts what was due into the lane. The same entries are one item. */
export function dueWork(teamId: string, at: string, { entries, isOfOneTime }: DueGroup): Upsert[] {
  const insertion = (kind: CompletionWorkKind, name: unknown, content: Record<string, string>): Upsert => ({
    kind: 'insert',
    item: { ...completionWorkKey(teamId, kind, at, uuid5(JSON.stringify(name), teamId)), ...content },
  });
  const due = entries.flatMap((entry) => ('journey' in entry ? [entry.journey] : []));
  const plans = entries.flatMap((entry) => ('templateId' in entry ? [entry] : []));
  const publications = entries.flatMap((entry) => ('revision' in entry ? [entry] : []));
  return [
    ...(due.length > 0 ? [insertion(isOfOneTime ? 'SAME_TIME' : 'DUE', due, { due: JSON.stringify(due) })] : []),
    ...plans.map(({ sk, templateId }) => insertion('PLAN', sk, { plan_of: templateId })),
    ...publications.map(({ sk, revision }) => insertion('CAMPAIGNS', sk, { revision })),
  ];
}

const accountStep = z.object({ at: storedTime, since: z.string().optional(), isClosing: z.boolean() });
const accountWorkItem = itemReader(
  'work on events of accounts',
  z.object({ account_number: z.string(), step: jsonText(accountStep), after: z.string().optional() }),
);

export function accountWorkOf(item: Item): AccountWork {
  const { account_number: accountNumber, step, after } = accountWorkItem(item);
  return { accountNumber, step, after };
}

const dueJourney = z.object({
  ...{ journeyId: z.string(), at: storedTime, contactId: z.string(), templateId: z.string() },
  accountId: z.string().optional(),
});

const workItem = itemReader(
  'work on completions',
  z.union([
    z.object({ journeys: z.string() }),
    z.object({ contacts: z.string() }),
    z.object({ due: jsonText(z.array(dueJourney)) }),
    z.object({ plan_of: z.string(), after: z.string().optional() }),
    z.object({ revision: z.string() }),
    z.object({ account_number: z.string(), after: z.string().optional() }),
  ]),
);

function journeyKeyOf(text: string): JourneyKey {
  const [contactId = '', templateId = '', accountId] = text.split(' ');
  return { contactId, templateId, accountId };
}

function workOf(item: Item): CompletionWork {
  const { pk, sk } = item;
  const base = { pk, sk, at: timeOfCompletionWork(item) };
  if ('step' in item) return { ...base, ...accountWorkOf(item) };
  const stored = workItem(item);
  if ('journeys' in stored) return { ...base, journeys: stored.journeys.split(',').map(journeyKeyOf) };
  if ('contacts' in stored) return { ...base, contactIds: stored.contacts.split(' ') };
  if ('due' in stored) return { ...base, due: stored.due };
  if ('revision' in stored) return { ...base, revision: stored.revision };
  if ('plan_of' in stored) return { ...base, planOf: stored.plan_of, after: stored.after };
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
  const expect = 'after' in work ? { after: work.after } : {};
  const end: Write =
    after === undefined
      ? { kind: 'delete', key: { pk, sk }, expect }
      : { kind: 'update', key: { pk, sk }, set: { after }, expect };
  return database.transact([end, ...left]);
}
