import { showChannelContent } from '../../lib/http/contracts/channel-pages.ts';
import { contentReply } from '../../lib/http/pages/channel.ts';
import { errorPage, framedNotice } from '../../lib/http/pages/notices.ts';
import { idParam } from '../../lib/http/params.ts';
import { showChannelContent as show } from '../../lib/operations/journeys/show-channel-content.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { channelPageDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(
  showChannelContent,
  async ({ params, event }) => {
    const channelId = idParam(params, 'channel_id');
    const reference = params.reference ?? '';
    const acceptLanguage = event.headers['accept-language'];
    const dependencies = channelPageDependencies();
    return contentReply(dependencies, show(dependencies, channelId, reference, acceptLanguage), reference);
  },
  errorPage(framedNotice),
);
