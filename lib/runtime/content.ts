import type { ContactDependencies } from '../operations/contacts/dependencies.ts';
import { ContentCache } from '../store/content.ts';
import { environment, now, once } from './base.ts';
import { productCache } from './products.ts';
import { runtime } from './table.ts';

/** Apart from `table.ts`, so that functions which need no campaign content do not load its schemas. */

/** Campaign content; what was read of it is kept with the instance. */
export const contentCache = once(() => new ContentCache(runtime().database, now));

/** For the functions that write contacts, or start journeys. */
export const contactDependencies = (): ContactDependencies => ({ ...runtime(), content: contentCache() });

/** For the functions that show journeys and content, and record what was done there. */
export const journeyDependencies = () => ({
  ...runtime(),
  content: contentCache(),
  productCache: productCache(),
  baseUrl: environment().ISSUER,
});
