import { ProductCache } from '../store/products.ts';
import { once } from './base.ts';
import { runtime } from './table.ts';

/** The products of accounts; what was read of them is kept with the instance. */
export const productCache = once(() => new ProductCache(runtime().database));
