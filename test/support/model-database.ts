import type { Attributes, Database, Item, Page, QueryInput, Upsert, Write } from '../../lib/store/database.ts';
import type { Key } from '../../lib/store/keys.ts';

/** The table as a map, for simulations of many thousand steps. `test/store/database.test.ts` holds it to the engine. */
export class ModelDatabase implements Database {
  readonly items = new Map<string, Item>();

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    return keys.map((key) => structuredClone(this.items.get(nameOf(key))));
  }

  async query({ pk, from, to, prefix, after, limit, descending, index }: QueryInput): Promise<Page> {
    if (index) throw new Error('the model has no indexes');
    const found = [...this.items.values()]
      .filter((item) => item.pk === pk)
      .filter(({ sk }) => (from === undefined || !below(sk, from)) && (to === undefined || !below(to, sk)))
      .filter(({ sk }) => prefix === undefined || sk.startsWith(prefix))
      .filter(({ sk }) => after === undefined || (descending ? below(sk, after) : below(after, sk)))
      .sort((a, b) => (below(a.sk, b.sk) === (descending ?? false) ? 1 : -1));
    const items = structuredClone(found.slice(0, limit ?? found.length));
    const last = items.at(-1);
    return items.length < found.length && last ? { items, next: last.sk } : { items };
  }

  async write(writes: readonly Upsert[]): Promise<boolean[]> {
    if (new Set(writes.map(keyOf).map(nameOf)).size < writes.length) throw new Error('an item may appear once');
    return writes.map((write) => {
      if (!this.#holds(write)) return false;
      this.#apply(write);
      return true;
    });
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    if (writes.length > 100) throw new Error('a transaction takes at most 100 items');
    if (new Set(writes.map(keyOf).map(nameOf)).size < writes.length) throw new Error('an item may appear once');
    if (!writes.every((write) => this.#holds(write))) return false;
    for (const write of writes) this.#apply(write);
    return true;
  }

  #holds(write: Write): boolean {
    const item = this.items.get(nameOf(keyOf(write)));
    if (write.kind === 'insert') return item === undefined;
    return item !== undefined && Object.entries(write.expect).every(([name, value]) => item[name] === value);
  }

  #apply(write: Write): void {
    const name = nameOf(keyOf(write));
    if (write.kind === 'delete') this.items.delete(name);
    else if (write.kind === 'insert') this.items.set(name, structuredClone(withoutUndefined(write.item)) as Item);
    else {
      const merged = { ...this.items.get(name), ...structuredClone(write.set) };
      this.items.set(name, withoutUndefined(merged) as Item);
    }
  }
}

const keyOf = (write: Write): Key => (write.kind === 'insert' ? write.item : write.key);
const nameOf = ({ pk, sk }: Key) => `${pk}\u0000${sk}`;
/** DynamoDB orders strings by their bytes. */
const below = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
const withoutUndefined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
