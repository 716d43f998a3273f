import { ProductCache } from '../store/products.ts';
import { once } from './base.ts';
import { runtime } from './table.ts';

/** The products of accounts, cached in the function instance. */
export const productCache = once(() => new ProductCache(runtime().database));
