import * as z from 'zod';
import { type JourneyKey, journeyKeyAt } from '../journeys/journey-items.ts';
import type { Database } from '../table/database.ts';
import {
  contactIdOfPartition,
  directoryShards,
  journeyIdOfResponseKey,
  journeyListPartition,
  type Key,
  responseListPartition,
  timeOfListKey,
} from '../table/keys.ts';
import { firstPageOf, growingPages, merged } from '../table/shards.ts';
import { itemReader } from '../table/stored-item.ts';

/** The journeys of a template, and the responses to it, in the directory index: by time, oldest first. */

/** An entry. `position` is the `after` of the next page. */
type Entry = { position: string; key: Key };
/** `since`: the first time. `after`: the position of the last entry that was read. */
export type ListStart = { since?: string | undefined; after?: string | undefined };
type ListPage<Listed> = { entries: (Listed & Pick<Entry, 'position'>)[]; hasMore: boolean };

export type ListedKey = JourneyKey & { updatedAt: string };

/** A page of the journeys of a template, each with the time at which the list has it. */
export async function listJourneyKeys(
  database: Database,
  { teamId, templateId }: { teamId: string; templateId: string },
  start: ListStart,
  limit: number,
): Promise<ListPage<ListedKey>> {
  const partitionOf = (shard: number) => journeyListPartition(teamId, templateId, shard);
  const { entries, hasMore } = await pageOf(database, partitionOf, start, limit);
  const listed = entries.map(({ position, key }) => {
    return { position, ...journeyKeyAt(key), updatedAt: timeOfListKey(position) };
  });
  return { entries: listed, hasMore };
}

/** A page of the responses to a template. */
export async function listResponseKeys(
  database: Database,
  { teamId, templateId }: { teamId: string; templateId: string },
  start: ListStart,
  limit: number,
): Promise<ListPage<{ key: Key; contactId: string; journeyId: string }>> {
  const partitionOf = (shard: number) => responseListPartition(teamId, templateId, shard);
  const { entries, hasMore } = await pageOf(database, partitionOf, start, limit);
  const listed = entries.map(({ position, key }) => {
    return { position, key, contactId: contactIdOfPartition(key.pk), journeyId: journeyIdOfResponseKey(key) };
  });
  return { entries: listed, hasMore };
}

const entryItem = itemReader('entry of a list', z.object({ pk: z.string(), sk: z.string(), directory_sk: z.string() }));
function entryOf(item: unknown): Entry {
  const { pk, sk, directory_sk: position } = entryItem(item);
  return { position, key: { pk, sk } };
}

async function pageOf(
  database: Database,
  partitionOf: (shard: number) => string,
  { since, after }: ListStart,
  limit: number,
): Promise<{ entries: Entry[]; hasMore: boolean }> {
  const start = after !== undefined ? { after } : since !== undefined ? { from: since } : {};
  const shards = Array.from({ length: directoryShards }, (_, shard) =>
    entriesOf(database, { pk: partitionOf(shard), index: 'directory', ...start }, limit + 1),
  );
  const entries: Entry[] = [];
  const order = (a: Entry, b: Entry) => (a.position < b.position ? -1 : 1);
  for await (const entry of merged(shards, order)) {
    if (entries.length === limit) return { entries, hasMore: true };
    entries.push(entry);
  }
  return { entries, hasMore: false };
}

async function* entriesOf(
  database: Database,
  query: Parameters<Database['query']>[0],
  expected: number,
): AsyncGenerator<Entry[]> {
  const first = firstPageOf(expected, directoryShards);
  for await (const { entries } of growingPages(database, query, first, entryOf)) yield entries;
}
