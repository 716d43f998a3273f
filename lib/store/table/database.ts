import { Problem } from '../../domain/values/problem.ts';
import type { Key } from './keys.ts';
import type { IndexName } from './table.ts';

/**
 * The operations that the service needs from DynamoDB: strongly consistent reads by key, queries within a partition,
 * and conditional writes. `dynamodb.ts` implements them. The import simulation uses a model in memory instead; a test
 * compares the model with the engine.
 */
export type Attributes = Record<string, unknown>;
export type Item = Key & Attributes;

/**
 * An update or delete happens only if each of these attributes has this value (`undefined`: the attribute is absent).
 */
export type Expectation = Attributes;

export type Upsert =
  /** Written only if no item with this key exists. */
  | { kind: 'insert'; item: Item }
  /** Written only if the item exists and meets the expectation. `undefined` in `set` removes the attribute. */
  | { kind: 'update'; key: Key; set: Attributes; expect: Expectation };
export type Write =
  | Upsert
  /** Written whatever is stored. It replaces an item with this key. */
  | { kind: 'put'; key: Key; set: Attributes }
  /** With an expectation, written only if the item exists and meets it. */
  | { kind: 'delete'; key: Key; expect?: Expectation }
  /** Changes nothing. The transaction is written only if the item exists and meets the expectation. */
  | { kind: 'check'; key: Key; expect: Expectation }
  /** Changes nothing. The transaction is written only if there is no item with this key. */
  | { kind: 'absent'; key: Key }
  /** Adds to numbers. What is absent counts as zero, also the item, so it has no condition, unless there is an `only`. */
  | { kind: 'add'; key: Key; add: Readonly<Record<string, number>>; only?: Bounds };

/** The item exists, meets the expectation, and these numbers are at most so. */
export type Bounds = { expect: Expectation; atMost: Readonly<Record<string, number>> };

export type QueryInput = {
  pk: string;
  /** Bounds on the sort key, both inclusive; `after` excludes its value. */
  from?: string;
  to?: string;
  prefix?: string;
  after?: string;
  index?: IndexName;
  /** Only items whose `row` contains this string. DynamoDB filters them. */
  rowContains?: string;
  /** At most this many items are read (before filtering). */
  limit?: number;
  /** Pages of a descending query have no lower bound: `after` cannot be combined with `from` or `prefix`. */
  descending?: boolean;
} & ReadOptions;

/** `eventually`: at half the price, and what was written in the last moments can be missing. */
export type ReadOptions = { eventually?: boolean };

/**
 * `next` is the `after` of the next page, if there is one. `readUnits` is the cost of the page, which is known only for
 * the directory.
 */
export type Page = { items: Item[]; next?: string; readUnits?: number };

export interface Database {
  /** Strongly consistent, unless `eventually` is set. The items in the order of the keys, `undefined` if there is no item. Keys may repeat. */
  get(keys: readonly Key[], options?: ReadOptions): Promise<(Item | undefined)[]>;
  /** One page. Strongly consistent on the table unless `eventually` is set, eventually consistent on an index. */
  query(input: QueryInput): Promise<Page>;
  /**
   * Independent conditional writes in no particular order, each to a different item.
   * @param options.onResend called if writes are sent again, because it is not known whether they happened
   * @returns for each write true if it was written, false if its condition failed.
   */
  write(writes: readonly Upsert[], options?: { onResend?(): void }): Promise<boolean[]>;
  /**
   * One transaction of at most 100 writes. False if a condition failed. With `losesConflicts`, also false if another
   * transaction is writing one of the items: for a caller whose condition fails anyway once that one has committed.
   */
  transact(writes: readonly Write[], options?: { losesConflicts?: boolean }): Promise<boolean>;
}

/**
 * The table, a queue, the secret or the bucket throttled or was not reachable, also after retries. Whether the write
 * happened is not known, so it must be safe to send it again.
 */
export class StoreUnavailable extends Problem {
  constructor(reason: string, options?: ErrorOptions) {
    super('unavailable', undefined, { ...options, reason });
  }
}

/** What the items with these keys hold, in the same order; `undefined` if there is no item. */
export const readAll = async <Stored>(database: Database, keys: readonly Key[], read: (item: Item) => Stored) =>
  (await database.get(keys)).map((item) => item && read(item));

/** What the item with this key holds; `undefined` if there is no item. */
export const readOne = async <Stored>(database: Database, key: Key, read: (item: Item) => Stored) =>
  (await readAll(database, [key], read))[0];

/** A single write. False if its condition failed. */
export async function writeOne(database: Database, write: Upsert): Promise<boolean> {
  const [written] = await database.write([write]);
  return written === true;
}

/**
 * The write of an item on the condition of the version that was read; 0 if there was no item.
 * @param sameItem attributes that never change. An item that was deleted and created again can have the same version.
 */
export const versioned = (key: Key, version: number, attributes: Attributes, sameItem: Expectation = {}): Upsert => {
  const set = { ...attributes, version: version + 1 };
  return version === 0
    ? { kind: 'insert', item: { ...key, ...set } }
    : { kind: 'update', key, set, expect: { version, ...sameItem } };
};

/** The operations of a database as functions, so that a caller can replace one of them. */
export const bound = (database: Database): Database => ({
  get: (...args) => database.get(...args),
  query: (...args) => database.query(...args),
  write: (...args) => database.write(...args),
  transact: (...args) => database.transact(...args),
});

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
  for await (const page of pages(database, input)) for (const item of page) items.push(item);
  return items;
}

/** Groups of `size` values. The last group can be smaller. */
export function chunksOf<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size));
}

/** The same for values that arrive one by one. */
export async function* chunksFrom<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const value of values) {
    if (chunk.push(value) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
