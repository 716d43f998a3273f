import { Problem } from '../domain/problem.ts';
import type { Key } from './keys.ts';
import type { IndexName } from './table.ts';

/**
 * What the service asks of DynamoDB, and no more: strongly consistent reads by key, queries within a partition, and
 * writes that each state their condition. `dynamodb.ts` speaks it to the real thing; the import simulation speaks it
 * to a model in memory that a test holds against the engine.
 */
export type Attributes = Record<string, unknown>;
export type Item = Key & Attributes;

/** An update or delete happens only where each of these attributes has this value (`undefined`: is absent). */
export type Expectation = Attributes;

export type Upsert =
  /** Only where no such item exists. */
  | { kind: 'insert'; item: Item }
  /** Only where the item exists and meets the expectation. `undefined` in `set` removes the attribute. */
  | { kind: 'update'; key: Key; set: Attributes; expect: Expectation };
export type Write = Upsert | { kind: 'delete'; key: Key; expect: Expectation };

export type QueryInput = {
  pk: string;
  /** Bounds on the sort key, both inclusive; `after` excludes its value. */
  from?: string;
  to?: string;
  prefix?: string;
  after?: string;
  index?: IndexName;
  /** Only items whose `row` holds this string; filtered inside DynamoDB. */
  rowContains?: string;
  /** At most this many items are read (before filtering). */
  limit?: number;
  /** Pages of a descending query have no lower bound: `after` takes neither `from` nor `prefix` beside it. */
  descending?: boolean;
};

export type Page = { items: Item[] /** Where the next page starts (`after`), if there is more. */; next?: string };

export interface Database {
  /** Strongly consistent; the answers in the order of the keys, `undefined` where there is no item. Keys may repeat. */
  get(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** One page. Strongly consistent on the table; an index trails by a moment. */
  query(input: QueryInput): Promise<Page>;
  /**
   * Independent conditional writes, in no order, each to an item of its own and answered for itself: true where
   * written, false where the condition failed.
   */
  write(writes: readonly Upsert[]): Promise<boolean[]>;
  /**
   * All or nothing, at most 100. False where a condition failed. With `losesConflicts` false as well where another
   * transaction is at one of the items: for a writer whose condition can then no longer hold.
   */
  transact(writes: readonly Write[], options?: { losesConflicts?: boolean }): Promise<boolean>;
}

/**
 * The table, a queue, the secret or the bucket throttles or is away, after retries. Nothing says whether the write
 * happened: resending must be safe.
 */
export class StoreUnavailable extends Problem {
  constructor(reason: string, options?: ErrorOptions) {
    super('unavailable', undefined, { ...options, reason });
  }
}

/** Every page of a query, one after another. */
export async function* pages(database: Database, input: QueryInput): AsyncGenerator<Item[]> {
  let after = input.after;
  do {
    const page = await database.query(after === undefined ? input : { ...input, after });
    yield page.items;
    after = page.next;
  } while (after !== undefined);
}

export async function all(database: Database, input: QueryInput): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages(database, input)) items.push(...page);
  return items;
}

/** The values in groups of that many, and the rest. */
export async function* chunksFrom<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const value of values) {
    if (chunk.push(value) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
