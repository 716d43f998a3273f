import type { Item, Page, QueryInput } from '../../lib/store/database.ts';
import { table } from '../../lib/store/table.ts';
import { ModelDatabase } from '../support/model-database.ts';

/**
 * Replaces `test/support/engine.ts` for mutants of operations: the table as a map in memory. Each mutant then takes
 * milliseconds instead of seconds.
 */
class ModelTable extends ModelDatabase {
  override async query(input: QueryInput): Promise<Page> {
    return input.index === undefined ? super.query(input) : this.#entries(input, table.indexes[input.index]);
  }

  #entries({ pk, from, to, after, rowContains, limit = 1000, descending = false }: QueryInput, index: Index): Page {
    const sortKeyOf = (item: Item) => String(item[index.sortKey]);
    const found = [...this.items.values()]
      .filter((item) => item[index.partitionKey] === pk)
      .filter((item) => (from === undefined || sortKeyOf(item) >= from) && (to === undefined || sortKeyOf(item) <= to))
      .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) === descending ? 1 : -1))
      .filter((item) => after === undefined || (descending ? sortKeyOf(item) < after : sortKeyOf(item) > after));
    const read = found.slice(0, limit);
    const items = read.filter(({ row }) => rowContains === undefined || String(row).includes(rowContains));
    const page = { items: items.map((item) => entryOf(item, index)), readUnits: 1 };
    return read.length < found.length ? { ...page, next: sortKeyOf(read.at(-1)!) } : page;
  }
}

type Index = (typeof table.indexes)[keyof typeof table.indexes];

const entryOf = ({ pk, sk, ...attributes }: Item, { partitionKey, sortKey, projected }: Index): Item => {
  const names: readonly string[] = [partitionKey, sortKey, ...projected];
  return { pk, sk, ...Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name))) };
};

export const freshTable = async () => ({ database: new ModelTable() });

/** Budgets are not tested. */
export const reportsCapacity = async () => false;

export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
export const localRegion = 'us-east-1';
