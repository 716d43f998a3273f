import type { Item, Page, QueryInput, Upsert, Write } from '../../../lib/store/table/database.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import type { Key } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from './model-database.ts';

type Options = { onConsumed?: (consumed: Consumed) => void };

/** The model of the table with what it costs. Round trips are counted; only queries of an index consume units. */
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
    const page = await super.query(input);
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
}
