import type { Database, QueryInput } from './database.ts';

/** Lists that are spread over several partitions of an index, which are read page by page and merged. */

/** A larger page would reach DynamoDB's limit of one megabyte first. */
const largestPage = 10_000;
const growth = 4;

export type ShardPage<Entry> = { entries: Entry[]; next: string | undefined };

/** Number of entries to read at first of each of these shards. Each has about the same share, so a second page is seldom needed. */
export function firstPageOf(expected: number, shards: number): number {
  const share = expected / shards;
  return Math.ceil(share + 4 * Math.sqrt(share));
}

/** Each page is larger than the one before. @param first size of the first page */
export async function* growingPages<Entry>(
  database: Database,
  query: QueryInput,
  first: number,
  read: (item: unknown) => Entry,
): AsyncGenerator<ShardPage<Entry>> {
  let after = query.after;
  for (let limit = Math.min(first, largestPage); ; limit = Math.min(limit * growth, largestPage)) {
    const { items, next } = await database.query({ ...query, ...(after === undefined ? {} : { after }), limit });
    yield { entries: items.map(read), next };
    if (next === undefined) return;
    after = next;
  }
}

/** Entries in order, merged from shards that have this order. Pages are read only when they are needed. */
export async function* merged<Entry>(
  pagesOfShards: readonly AsyncIterator<Entry[]>[],
  order: (a: Entry, b: Entry) => number,
): AsyncGenerator<Entry> {
  const shards = pagesOfShards.map((pages) => new Shard(pages));
  for (;;) {
    await Promise.all(shards.map((shard) => shard.fill()));
    const first = shards
      .filter(({ head }) => head)
      .reduce<Shard<Entry> | undefined>((best, shard) => {
        return best && order(best.head!, shard.head!) <= 0 ? best : shard;
      }, undefined);
    if (!first?.head) return;
    yield first.head;
    first.take();
  }
}

/** The entries of one shard, which are read page by page. */
class Shard<Entry> {
  readonly #pages: AsyncIterator<Entry[]>;
  #entries: Entry[] = [];
  #taken = 0;
  #ended = false;

  constructor(pages: AsyncIterator<Entry[]>) {
    this.#pages = pages;
  }

  get head(): Entry | undefined {
    return this.#entries[this.#taken];
  }

  take(): void {
    this.#taken++;
  }

  /** Reads pages until there is a head or the shard has ended. */
  async fill(): Promise<void> {
    while (!this.head && !this.#ended) {
      const { done, value } = await this.#pages.next();
      this.#ended = done === true;
      this.#entries = done ? [] : value;
      this.#taken = 0;
    }
  }
}
