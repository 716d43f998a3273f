import type { Attributes, Item, Page, QueryInput, Upsert, Write } from '../../lib/store/database.ts';
import type { Consumed } from '../../lib/store/dynamodb.ts';
import type { Key } from '../../lib/store/keys.ts';
import { table } from '../../lib/store/table.ts';
import { ModelDatabase } from './model-database.ts';

type Options = { onConsumed?: (consumed: Consumed) => void };

/** The table as a map, with its indexes. Round trips are counted; only queries of an index consume units. */
export class ModelTable extends ModelDatabase {
  readonly #onConsumed: Options['onConsumed'];

  constructor({ onConsumed }: Options = {}) {
    super();
    this.#onConsumed = onConsumed;
  }

  override async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    if (keys.length > 0) this.#count('BatchGetItem');
    return super.get(keys);
  }

  override async query(input: QueryInput): Promise<Page> {
    const page = input.index === undefined ? await super.query(input) : this.#entries(input, indexes[input.index]);
    this.#count('Query', page.readUnits);
    return page;
  }

  override async write(writes: readonly Upsert[]): Promise<boolean[]> {
    for (let at = 0; at < writes.length; at += 25) this.#count('BatchExecuteStatement');
    return super.write(writes);
  }

  override async transact(writes: readonly Write[]): Promise<boolean> {
    this.#count('TransactWriteItems');
    return super.transact(writes);
  }

  /** Like `WholeTable`. */
  whole() {
    const items = async () => [...this.items.values()];
    const restore = async (kept: readonly Item[]) => {
      for (const item of this.items.values()) this.damage(item);
      await super.write(kept.map((item) => ({ kind: 'insert', item })));
    };
    return { items, restore };
  }

  #count(operation: string, readUnits = 0): void {
    this.#onConsumed?.({ operation, readUnits, writeUnits: 0 });
  }

  #entries({ pk, from, to, after, rowContains, limit = 1000, descending = false }: QueryInput, index: Index): Page {
    const sortKeyOf = (item: Readonly<Item>) => String(item[index.sortKey]);
    const found = this.itemsWhere((item) => item[index.partitionKey] === pk)
      .filter((item) => (from === undefined || sortKeyOf(item) >= from) && (to === undefined || sortKeyOf(item) <= to))
      .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) === descending ? 1 : -1))
      .filter((item) => after === undefined || (descending ? sortKeyOf(item) < after : sortKeyOf(item) > after));
    const read = found.slice(0, limit).map((item) => entryOf(item, index));
    const items = read.filter(({ row }) => rowContains === undefined || String(row).includes(rowContains));
    // Half a unit for each 4 KB, because an index is read with eventual consistency.
    const page = { items, readUnits: Math.ceil(JSON.stringify(read).length / 4096) / 2 };
    return read.length < found.length ? { ...page, next: sortKeyOf(read.at(-1)!) } : page;
  }
}

type Index = (typeof table.indexes)[keyof typeof table.indexes];
const { indexes } = table;

const entryOf = (item: Readonly<Item>, { partitionKey, sortKey, projected }: Index): Item => {
  const names: readonly string[] = ['pk', 'sk', partitionKey, sortKey, ...projected];
  const attributes: Attributes = Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
  return attributes as Item;
};
