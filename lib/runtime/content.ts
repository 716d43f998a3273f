import type { ContactDependencies } from '../operations/contacts/dependencies.ts';
import { ContentCache } from '../store/content.ts';
import { environment, now, once } from './base.ts';
import { productCache } from './products.ts';
import { runtime } from './table.ts';

/** Separate from `table.ts`, so that functions without campaign content do not load its schemas. */

/** Campaign content, cached in the function instance. */
export const contentCache = once(() => new ContentCache(runtime().database, now));

/** For the functions that write contacts or start journeys. */
export const contactDependencies = (): ContactDependencies => ({ ...runtime(), content: contentCache() });

/** For the functions that show journeys and channel content, and record actions there. */
export const journeyDependencies = () => ({
  ...runtime(),
  content: contentCache(),
  productCache: productCache(),
  baseUrl: environment().ISSUER,
});
