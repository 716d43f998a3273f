import * as z from 'zod';
import type { Database, Item, Upsert, Write } from '../table/database.ts';
import { dueJourneyKey, duePartition, duePlanKey, duePublicationKey, type Key, partsOfDueKey } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

/**
 * What is due at a time, by this time. Entries hold ids only. An entry only wakes: who gets it decides on what is stored
 * then.
 */

/** A journey with its keys. `at`: as the journey has it too; an entry with another time is of an earlier plan. */
export type DueJourney = {
  journeyId: string;
  at: string;
  contactId: string;
  templateId: string;
  accountId?: string | undefined;
};
export type DueEntry = Key & ({ journey: DueJourney } | { templateId: string } | { revision: string });

/** `isOfOneTime`: the journeys are due at one time with many others. */
export type DueGroup = { entries: readonly DueEntry[]; isOfOneTime: boolean };

/**
 * For the transaction that plans it. It replaces an entry of the same time: one can be left in a restored table, and must
 * not stop the plan.
 */
export const dueWrite = (
  teamId: string,
  { journeyId, at, contactId: contact_id, templateId: template_id, accountId: account_id }: DueJourney,
): Write => ({
  kind: 'put',
  key: dueJourneyKey(teamId, at, journeyId),
  set: { contact_id, template_id, account_id },
});

/** Asks for a walk over the journeys of the template. */
export const planWrite = (teamId: string, at: string, templateId: string): Write => ({
  kind: 'put',
  key: duePlanKey(teamId, at, templateId),
  set: {},
});

/** Publishes the revision that waits with this id, if it still does. */
export const publicationInsertion = (teamId: string, at: string, revision: string): Upsert => ({
  kind: 'insert',
  item: duePublicationKey(teamId, at, revision),
});

const journeyItem = itemReader(
  'due journey',
  z.object({ contact_id: z.string(), template_id: z.string(), account_id: z.string().optional() }),
);

function entryOf(item: Item): DueEntry {
  const { pk, sk } = item;
  const parts = partsOfDueKey(item);
  if ('templateId' in parts) return { pk, sk, templateId: parts.templateId };
  if ('revision' in parts) return { pk, sk, revision: parts.revision };
  const { contact_id: contactId, template_id: templateId, account_id: accountId } = journeyItem(item);
  return { pk, sk, journey: { ...parts, contactId, templateId, accountId } };
}

/** `now`: ISO 8601. `after`: the sort key of the last entry that was read. */
type DuePage = { now: string; limit: number; after?: string | undefined; descending?: boolean };

/** A page of what is due. */
export async function dueEntries(
  database: Database,
  teamId: string,
  { now, limit, after, descending = false }: DuePage,
): Promise<{ entries: DueEntry[]; next?: string }> {
  const query = { pk: duePartition(teamId), to: now, limit, descending };
  const { items, ...page } = await database.query(after === undefined ? query : { ...query, after });
  return { ...page, entries: items.map(entryOf) };
}
