import { bound, type Database, type Item, type Write } from '../../../lib/store/table/database.ts';
import { WriteRefused } from '../../../lib/store/table/errors.ts';
import { transactionItemOf } from '../../../lib/store/table/requests.ts';
import { itemSize } from '../../support/engine/item-size.ts';

const kb = 1024;

/** Refuses transactions that exceed the limits of DynamoDB: of an expression, an item, and all items together. */
export function withStoreLimits(database: Database, onRefusal = () => {}): Database {
  const sizeAfter = async (write: Write): Promise<number> => {
    if (write.kind === 'insert') return itemSize(write.item);
    const [stored] = await database.get([write.key]);
    const changed: Item = { ...stored, ...write.key };
    if (write.kind === 'update') Object.assign(changed, write.set);
    if (write.kind === 'add')
      for (const [name, value] of Object.entries(write.add)) changed[name] = Number(changed[name] ?? 0) + value;
    return itemSize(changed);
  };
  return {
    ...bound(database),
    transact: async (writes, options) => {
      const expressions = writes.map((write) => transactionItemOf('table', write).Update?.UpdateExpression ?? '');
      const sizes = await Promise.all(writes.map(sizeAfter));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const isTooLarge = writes.length > 100 || total > 4 * kb * kb || sizes.some((size) => size > 400 * kb);
      const isRefused = isTooLarge || expressions.some(({ length }) => length > 4 * kb);
      if (isRefused) onRefusal();
      if (isRefused) throw new WriteRefused('ValidationError');
      return database.transact(writes, options);
    },
  };
}
