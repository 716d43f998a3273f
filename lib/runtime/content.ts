import type { Caller } from '../http/request.ts';
import type { ContactDependencies } from '../operations/service.ts';
import { ContentCache } from '../store/campaigns/content.ts';
import { environment, now, once } from './base.ts';
import { productCache, runtime } from './table.ts';

/** Separate from `table.ts`, so that functions without campaign content do not load its schemas. */

/** Campaign content, cached in the function instance. */
export const contentCache = once(() => new ContentCache(runtime().database, now));

/** For the functions that write contacts or start journeys. @param caller of the API; a dropped file has none */
export const contactDependencies = (caller?: Caller, isStrict = false): ContactDependencies => ({
  ...runtime(),
  content: contentCache(),
  writer: caller?.clientId ?? 'import',
  isStrict,
});

/** For the functions that show journeys and channel content, and record actions there. */
export const journeyDependencies = () => ({
  ...runtime(),
  content: contentCache(),
  productCache: productCache(),
  baseUrl: environment().ISSUER,
});

/** For the functions that show pages in the frame of a channel. */
export const channelPageDependencies = () => ({
  ...journeyDependencies(),
  frameAncestors: environment().FRAME_ANCESTORS,
});
