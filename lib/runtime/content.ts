import type { ContactService, JourneyService } from '../operations/service.ts';
import { ContentCache } from '../store/campaigns/content.ts';
import { environment, now, once } from './base.ts';
import { productCache, service } from './table.ts';

/** Separate from `table.ts`, so that functions without campaign content do not load its schemas. */

/** Campaign content, cached in the function instance. */
export const contentCache = once(() => new ContentCache(service().database, now));

/** For the functions that write contacts or show campaigns. */
export const contactService = () => ({ ...service(), content: contentCache() }) satisfies ContactService;

/** For the functions that show journeys and channel content, and record actions there. */
export const journeyService = () => ({ ...contactService(), productCache: productCache() }) satisfies JourneyService;

/** For the functions that show pages in the frame of a channel. */
export const channelPageService = () => ({ ...journeyService(), frameAncestors: environment().FRAME_ANCESTORS });
