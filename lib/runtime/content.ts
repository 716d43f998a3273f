import type { ContactService, JourneyService, MessagesAccess } from '../operations/service.ts';
import { ContentCache } from '../store/campaigns/content.ts';
import { environment, now, once } from './base.ts';
import { productCache, service } from './table.ts';

/** Separate from `table.ts`, so that functions without campaign content do not load its schemas. */

/** Campaign content, cached in the function instance. */
export const contentCache = once(() => new ContentCache(service().database, now));

/** What only the functions need that hash addresses. The others do not load it. */
const messages = once((): MessagesAccess | undefined =>
  environment().MESSAGES_SECRET === undefined
    ? undefined
    : { secret: async () => (await import('./messages-secret.ts')).messagesSecret() },
);

/** For the functions that write contacts or show campaigns. */
export const contactService = () =>
  ({ ...service(), content: contentCache(), messages: messages() }) satisfies ContactService;

/** For the functions that show journeys and channel content, and record actions there. */
export const journeyService = () => ({ ...contactService(), productCache: productCache() }) satisfies JourneyService;

/** For the functions that show pages in the frame of a channel. */
export const channelPageService = () => ({ ...journeyService(), frameAncestors: environment().FRAME_ANCESTORS });
