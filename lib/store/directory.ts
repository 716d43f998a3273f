import * as z from 'zod';
import {
  type DirectoryEntry,
  folded,
  inOrder,
  type Position,
  positionBy,
  type SortDirection,
} from '../domain/directory.ts';
import { type Database, pages, type QueryInput } from './database.ts';
import {
  contactIdOfDirectoryKey,
  directoryEndOf,
  directoryPartition,
  directoryShards,
  insertedAtOfDirectoryKey,
} from './keys.ts';
import { itemReader } from './stored-item.ts';

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

/** Visits every entry, in no particular order. The shards are read in parallel. */
export async function scanDirectory(
  database: Database,
  scope: DirectoryScope,
  visit: (entry: DirectoryEntry) => void,
): Promise<void> {
  const scan = async (shard: QueryInput) => {
    for await (const items of pages(database, shard)) for (const item of items) visit(entryOf(item));
  };
  await Promise.all(shardsOf(scope).map(scan));
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
  const { direction, after } = walk;
  const shards = shardsOf(walk).map((query) => new Shard(database, { ...query, ...boundsOf(walk) }, firstPage(walk)));
  const order = inOrder(direction);
  const positionOf = positionBy('inserted_at');
  for await (const entry of tiesById(merged(shards, direction))) {
    if (!after || order(positionOf(entry), after) > 0) yield entry;
  }
}

/** Size of the first page. Each shard has about a quarter of the contacts, so a second page is seldom needed. */
function firstPage({ expected, search }: Walk): number {
  const share = expected / directoryShards;
  return Math.min(Math.ceil(share + 4 * Math.sqrt(share)) * (search === '' ? 1 : entriesPerMatch), largestPage);
}
/** An estimate. If it is too low, the next pages are larger. */
const entriesPerMatch = 8;
const growth = 4;
/** A larger page would reach DynamoDB's limit of one megabyte first. */
const largestPage = 10_000;

function boundsOf({ direction, after }: Walk): Partial<QueryInput> {
  if (direction === 'asc') return after ? { from: after.value ?? '' } : {};
  return { descending: true, ...(after ? { to: directoryEndOf(after.value ?? '') } : {}) };
}

/** One shard, read page by page. Each page is larger than the one before. */
class Shard {
  readonly #database: Database;
  readonly #query: QueryInput;
  #limit: number;
  #next: string | undefined;
  #entries: DirectoryEntry[] = [];
  #taken = 0;
  #ended = false;

  constructor(database: Database, query: QueryInput, limit: number) {
    this.#database = database;
    this.#query = query;
    this.#limit = limit;
  }

  get head(): DirectoryEntry | undefined {
    return this.#entries[this.#taken];
  }

  take(): void {
    this.#taken++;
  }

  /** Reads pages until there is a head or the shard has ended. */
  async fill(): Promise<void> {
    while (!this.head && !this.#ended) {
      const after = this.#next === undefined ? {} : { after: this.#next };
      const page = await this.#database.query({ ...this.#query, ...after, limit: this.#limit });
      this.#entries = page.items.map(entryOf);
      this.#taken = 0;
      this.#next = page.next;
      this.#ended = page.next === undefined;
      this.#limit = Math.min(this.#limit * growth, largestPage);
    }
  }
}

async function* merged(shards: readonly Shard[], direction: SortDirection): AsyncGenerator<DirectoryEntry> {
  const sign = direction === 'asc' ? 1 : -1;
  for (;;) {
    await Promise.all(shards.map((shard) => shard.fill()));
    const first = shards
      .filter(({ head }) => head)
      .reduce<Shard | undefined>((best, shard) => {
        return best && sign * compare(best.head!, shard.head!) <= 0 ? best : shard;
      }, undefined);
    if (!first?.head) return;
    yield first.head;
    first.take();
  }
}

const compare = (a: DirectoryEntry, b: DirectoryEntry): number =>
  a.insertedAt === b.insertedAt ? (a.id < b.id ? -1 : 1) : a.insertedAt < b.insertedAt ? -1 : 1;

/** Sorts entries with the same time by ascending id. A descending query returns them by descending id. */
async function* tiesById(entries: AsyncIterable<DirectoryEntry>): AsyncGenerator<DirectoryEntry> {
  let tied: DirectoryEntry[] = [];
  for await (const entry of entries) {
    if (tied[0] && tied[0].insertedAt !== entry.insertedAt) {
      yield* tied.sort(compare);
      tied = [];
    }
    tied.push(entry);
  }
  yield* tied.sort(compare);
}
