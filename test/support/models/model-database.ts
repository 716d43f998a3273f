import type { Attributes, Database, Item, Page, QueryInput, Upsert, Write } from '../../../lib/store/table/database.ts';
import type { Key } from '../../../lib/store/table/keys.ts';
import { table } from '../../../lib/store/table/table.ts';

/** Items of one partition, and their sort keys in order. */
type Partition = { items: Map<string, Item>; order: string[] };

/** The table as a map, for simulations of thousands of steps. `test/unit/table/database.test.ts` compares it with the engine. */
export class ModelDatabase implements Database {
  readonly #partitions = new Map<string, Partition>();

  /** Every item by its key. */
  get items(): Map<string, Item> {
    const all = [...this.#partitions.values()].flatMap(({ items }) => [...items.values()]);
    return new Map(all.map((item) => [nameOf(item), copyOf(item)]));
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    return keys.map((key) => this.read(key));
  }

  read({ pk, sk }: Key): Item | undefined {
    const item = this.#partitions.get(pk)?.items.get(sk);
    return item && copyOf(item);
  }

  async query(input: QueryInput): Promise<Page> {
    return input.index ? this.#entries(input, table.indexes[input.index]) : this.page(input);
  }

  /** A page of an index. It is at most as long as that of a table with entries of 1 KB. */
  #entries({ pk, from, to, after, rowContains, limit = 1000, descending = false }: QueryInput, index: Index): Page {
    const sortKeyOf = (item: Readonly<Item>) => String(item[index.sortKey]);
    const found = [...this.#partitions.values()]
      .flatMap(({ items }) => [...items.values()].filter((item) => item[index.partitionKey] === pk))
      .filter((item) => (from === undefined || sortKeyOf(item) >= from) && (to === undefined || sortKeyOf(item) <= to))
      .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) === descending ? 1 : -1))
      .filter((item) => after === undefined || (descending ? sortKeyOf(item) < after : sortKeyOf(item) > after));
    const read = found.slice(0, limit).map((item) => entryOf(item, index));
    const items = read.filter(({ row }) => rowContains === undefined || String(row).includes(rowContains));
    // Half a unit for each 4 KB, because an index is read with eventual consistency.
    const page = { items, readUnits: Math.ceil(JSON.stringify(read).length / 4096) / 2 };
    return read.length < found.length ? { ...page, next: sortKeyOf(read.at(-1)!) } : page;
  }

  page({ pk, from, to, prefix, after, limit, descending }: QueryInput): Page {
    const partition = this.#partitions.get(pk);
    if (!partition) return { items: [] };
    const start = descending ? undefined : after;
    const found = partition.order.filter(
      (sk) =>
        (from === undefined || !isBelow(sk, from)) &&
        (to === undefined || !isBelow(to, sk)) &&
        (prefix === undefined || sk.startsWith(prefix)) &&
        (start === undefined || isBelow(start, sk)) &&
        (!descending || after === undefined || isBelow(sk, after)),
    );
    if (descending) found.reverse();
    const items = found.slice(0, limit ?? found.length).map((sk) => copyOf(partition.items.get(sk)!));
    const last = items.at(-1);
    return items.length < found.length && last ? { items, next: last.sk } : { items };
  }

  async write(writes: readonly Upsert[]): Promise<boolean[]> {
    refuseRepeats(writes);
    return writes.map((write) => {
      if (!this.#holds(write)) return false;
      this.#apply(write);
      return true;
    });
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    const parts = this.begin(writes);
    for (const apply of parts ?? []) apply();
    return parts !== undefined;
  }

  /**
   * Decides a transaction without making it visible. Its parts can then be applied one after another, in any order. Until
   * all are applied, no other call may write these items.
   */
  begin(writes: readonly Write[]): (() => void)[] | undefined {
    if (writes.length > 100) throw new Error('a transaction takes at most 100 items');
    refuseRepeats(writes);
    if (!writes.every((write) => this.#holds(write))) return undefined;
    return writes.map((write) => () => this.#apply(write));
  }

  /** Deletes or replaces an item without a condition, as no client can. */
  damage({ pk, sk }: Key, attributes?: Attributes): void {
    const item = this.#partitions.get(pk)?.items.get(sk);
    if (!item) return;
    if (attributes) this.#put({ ...item, ...attributes });
    else this.#remove({ pk, sk });
  }

  #holds(write: Write): boolean {
    const { pk, sk } = keyOf(write);
    const item = this.#partitions.get(pk)?.items.get(sk);
    if (write.kind === 'insert' || write.kind === 'absent') return item === undefined;
    if (write.kind === 'put' || (write.kind === 'add' && !write.only)) return true;
    if (write.kind === 'delete' && !write.expect) return true;
    if (item === undefined) return false;
    const { expect, atMost } = write.kind === 'add' ? write.only! : { expect: write.expect, atMost: {} };
    for (const name in expect) if (item[name] !== expect[name]) return false;
    return Object.entries(atMost).every(([name, most]) => typeof item[name] === 'number' && item[name] <= most);
  }

  #apply(write: Write): void {
    if (write.kind === 'delete') this.#remove(write.key);
    else if (write.kind === 'insert') this.#put(write.item);
    else if (write.kind === 'put') this.#put({ ...write.set, ...write.key });
    else if (write.kind === 'check' || write.kind === 'absent') return;
    else if (write.kind === 'update') {
      const { pk, sk } = write.key;
      this.#put({ ...this.#partitions.get(pk)?.items.get(sk), ...write.set, pk, sk });
    } else if (write.kind === 'add') {
      const item: Item = { ...this.#partitions.get(write.key.pk)?.items.get(write.key.sk), ...write.key };
      for (const [name, value] of Object.entries(write.add)) item[name] = Number(item[name] ?? 0) + value;
      this.#put(item);
    } else throw new Error('there is no such kind of write');
  }

  #put(item: Item): void {
    const { pk, sk } = item;
    const partition = this.#partitions.get(pk) ?? { items: new Map(), order: [] };
    if (partition.items.size === 0) this.#partitions.set(pk, partition);
    if (!partition.items.has(sk)) partition.order.splice(placeOf(partition.order, sk), 0, sk);
    partition.items.set(sk, copyOf(item));
  }

  #remove({ pk, sk }: Key): void {
    const partition = this.#partitions.get(pk);
    if (partition?.items.delete(sk)) partition.order.splice(placeOf(partition.order, sk), 1);
  }
}

type Index = (typeof table.indexes)[keyof typeof table.indexes];

function entryOf(item: Readonly<Item>, { partitionKey, sortKey, projected }: Index): Item {
  const names: readonly string[] = ['pk', 'sk', partitionKey, sortKey, ...projected];
  return Object.fromEntries(Object.entries(copyOf(item)).filter(([name]) => names.includes(name))) as Item;
}

const keyOf = (write: Write): Key => (write.kind === 'insert' ? write.item : write.key);
export const nameOf = ({ pk, sk }: Key) => `${pk}\u0000${sk}`;

function refuseRepeats(writes: readonly Write[]): void {
  if (writes.length < 2) return;
  if (new Set(writes.map(keyOf).map(nameOf)).size < writes.length) throw new Error('an item may appear once');
}

/** A copy without undefined attributes. Bytes are shared, because they are never changed in place. */
function copyOf(item: Item): Item {
  const copy: Item = { pk: item.pk, sk: item.sk };
  for (const name in item) {
    const value = item[name];
    if (value === undefined) continue;
    copy[name] = copyOfValue(value);
  }
  return copy;
}

function copyOfValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(copyOfValue);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOfValue(each)]));
}

/** The index of the sort key, or the index to insert it at. */
function placeOf(order: readonly string[], sk: string): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(order[middle]!, sk)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** DynamoDB sorts strings by their bytes in UTF-8, so characters beyond the basic plane are last. */
function isBelow(a: string, b: string): boolean {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const [unit, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (unit === other) continue;
    const isBeyond = isSurrogate(unit);
    return isBeyond === isSurrogate(other) ? unit < other : !isBeyond;
  }
  return a.length < b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
