import * as z from 'zod';
import {
  type DirectoryEntry,
  folded,
  inOrder,
  type Position,
  positionBy,
  type SortDirection,
} from '../../domain/contacts/directory.ts';
import { type Database, pages, type QueryInput } from '../table/database.ts';
import {
  contactIdOfDirectoryKey,
  directoryEndOf,
  directoryPartition,
  directoryPositionOf,
  directoryShards,
  insertedAtOfDirectoryKey,
} from '../table/keys.ts';
import { firstPageOf, growingPages, merged } from '../table/shards.ts';
import { itemReader } from '../table/stored-item.ts';

/** The contacts of a team that a list reads. The index is eventually consistent with the contacts. */
export type DirectoryScope = {
  teamId: string;
  /** Only contacts with this text in a field or metadata value, ignoring case. The empty string does not filter. */
  search: string;
};

const directoryItem = itemReader('directory entry', z.object({ directory_sk: z.string(), row: z.string() }));

function entryOf(item: unknown): DirectoryEntry {
  const { directory_sk: sk, row } = directoryItem(item);
  return { id: contactIdOfDirectoryKey(sk), insertedAt: insertedAtOfDirectoryKey(sk), row };
}

const shardsOf = ({ teamId, search }: DirectoryScope): QueryInput[] =>
  Array.from({ length: directoryShards }, (_, shard) => ({
    pk: directoryPartition(teamId, shard),
    index: 'directory' as const,
    ...(search === '' ? {} : { rowContains: folded(search) }),
  }));

/** Visits every entry, in no particular order. The shards are read in parallel, until one of them cannot be read. */
export async function scanDirectory(
  database: Database,
  scope: DirectoryScope,
  visit: (entry: DirectoryEntry) => void,
): Promise<void> {
  let hasFailed = false;
  const scan = async (shard: QueryInput) => {
    for await (const items of pages(database, shard)) {
      if (hasFailed) return;
      for (const item of items) visit(entryOf(item));
    }
  };
  await Promise.all(shardsOf(scope).map(scan)).catch((error: unknown) => {
    hasFailed = true;
    throw error;
  });
}

/** A page of the contacts of a shard, in the order of their creation. `next` is the `after` of the next page. */
export async function directoryPage(
  database: Database,
  teamId: string,
  shard: number,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ contactIds: string[]; next: string | undefined }> {
  const query = { pk: directoryPartition(teamId, shard), index: 'directory' as const, limit };
  const { items, next } = await database.query(after === undefined ? query : { ...query, after });
  return { contactIds: items.map((item) => entryOf(item).id), next };
}

export type Walk = DirectoryScope & {
  direction: SortDirection;
  /** The walk starts after this position. Entries before its time are not read. */
  after?: Position | undefined;
  /** How many entries the caller expects to take. */
  expected: number;
};

/** Entries in order of `inserted_at` and id, merged from the shards. Pages are read only when they are needed. */
export async function* walkDirectory(database: Database, walk: Walk): AsyncGenerator<DirectoryEntry> {
  const pagesOfShard = walk.direction === 'asc' ? oldestFirst : newestFirst;
  const shards = shardsOf(walk).map((query) => pagesOfShard(database, query, walk));
  const order = inOrder(walk.direction);
  for await (const entry of merged(shards, (a, b) => order(positionOf(a), positionOf(b)))) {
    if (!walk.after || order(positionOf(entry), walk.after) > 0) yield entry;
  }
}

const positionOf = positionBy('inserted_at');

/** Size of the first page. */
const firstPage = ({ expected, search }: Walk): number =>
  firstPageOf(expected, directoryShards) * (search === '' ? 1 : entriesPerMatch);
/** An estimate. If it is too low, the next pages are larger. */
const entriesPerMatch = 8;

/** The keys of a shard have the order of the list: by time, then by id. */
async function* oldestFirst(database: Database, shard: QueryInput, walk: Walk): AsyncGenerator<DirectoryEntry[]> {
  const start = walk.after ? { after: directoryPositionOf(walk.after.value ?? '', walk.after.id) } : {};
  for await (const { entries } of growingPages(database, { ...shard, ...start }, firstPage(walk), entryOf))
    yield entries;
}

/** From the newest time to the oldest. Entries with the same time are in ascending order of their ids. */
async function* newestFirst(database: Database, shard: QueryInput, walk: Walk): AsyncGenerator<DirectoryEntry[]> {
  const end = walk.after ? { to: directoryEndOf(walk.after.value ?? '') } : {};
  const order = inOrder('desc');
  let start: Partial<QueryInput> | undefined = end;
  while (start) {
    const query: QueryInput = { ...shard, ...start, descending: true };
    start = undefined;
    let held: DirectoryEntry[] = [];
    for await (const { entries, next } of growingPages(database, query, firstPage(walk), entryOf)) {
      // The next page can have more entries with this time, and lower ids.
      const time = next === undefined ? undefined : insertedAtOfDirectoryKey(next);
      const read = [...held, ...entries];
      const complete = read.filter(({ insertedAt }) => insertedAt !== time);
      yield complete.sort((a, b) => order(positionOf(a), positionOf(b)));
      held = read.filter(({ insertedAt }) => insertedAt === time);
      if (time === undefined || complete.length > 0 || walk.search !== '') continue;
      // Many contacts have this time: read them from the lowest id, and then what is older.
      yield* entriesAt(database, shard, time, walk);
      start = { after: time };
      break;
    }
  }
}

async function* entriesAt(
  database: Database,
  shard: QueryInput,
  time: string,
  walk: Walk,
): AsyncGenerator<DirectoryEntry[]> {
  const { after } = walk;
  const start = after?.value === time ? { after: directoryPositionOf(time, after.id) } : { from: time };
  const query = { ...shard, ...start, to: directoryEndOf(time) };
  for await (const { entries } of growingPages(database, query, firstPage(walk), entryOf)) yield entries;
}
