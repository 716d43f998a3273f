import { showChannelContent } from '../../lib/http/contracts/channel-pages.ts';
import { idParam } from '../../lib/http/params.ts';
import { showChannelContent as show } from '../../lib/operations/show-channel-content.ts';
import { contentReply } from '../../lib/runtime/channel-page.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { framedNotice, pageEndpoint } from '../../lib/runtime/pages.ts';

export const handler = pageEndpoint(
  showChannelContent,
  async ({ params, event }) => {
    const channelId = idParam(params, 'channel_id');
    const reference = params.reference ?? '';
    const acceptLanguage = event.headers['accept-language'];
    return contentReply(show(journeyDependencies(), channelId, reference, acceptLanguage), reference);
  },
  framedNotice,
);
