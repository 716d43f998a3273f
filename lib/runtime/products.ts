import { ProductCatalogue } from '../store/products.ts';
import { once } from './base.ts';
import { runtime } from './table.ts';

/** The products of accounts; what was read of them is kept with the instance. */
export const catalogue = once(() => new ProductCatalogue(runtime().database));
