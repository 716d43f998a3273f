import * as z from 'zod';
import type { ImportDependencies } from '../operations/imports/dependencies.ts';
import { ProductRegister } from '../store/products.ts';
import { SqsImportQueue } from '../store/queue.ts';
import { environment, once } from './base.ts';
import { runtime } from './table.ts';

/** For the functions that accept, work or watch over imports. */
export const imports = once((): ImportDependencies => {
  const queue = new SqsImportQueue(z.url().parse(environment().QUEUE_URL));
  return { ...runtime(), queue, products: new ProductRegister(runtime().database) };
});
