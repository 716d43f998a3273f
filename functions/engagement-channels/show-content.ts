import { contract } from '../../lib/http/contract.ts';
import { contentReply } from '../../lib/http/pages/channel.ts';
import { errorPage, framedNotice } from '../../lib/http/pages/notices.ts';
import { idParam } from '../../lib/http/params.ts';
import { showChannelContent as show } from '../../lib/operations/journeys/show-channel-content.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { channelPageService } from '../../lib/runtime/content.ts';

const showChannelContent = contract<typeof responses>()({
  id: 'show-channel-content',
  tag: 'Engagement channels',
  summary: 'Show the content of a channel',
  description:
    'The page behind the `url` that the search returns. Show it in a frame with the size of the channel. It can contain ' +
    'fields of the contact and `meta_public`, but never `meta_private`. If the content no longer exists or is no longer ' +
    'for the contact, the page shows the default content of the channel. A request alone is not a view: the page ' +
    'reports views itself.',
});

const responses = () =>
  ({
    200: {
      description: 'The content',
      mediaType: 'text/html',
      headers: {
        'content-security-policy':
          'Allows only the styles and scripts of the page itself, by hash. `frame-ancestors` lists the sites that may show it in a frame',
        'cache-control': '`no-store` for content of a contact. The default content can be cached for a minute',
      },
    },
    404: { description: 'The URL is invalid: the search did not return it', mediaType: 'text/html' },
    500: { description: 'Internal error', mediaType: 'text/html' },
    503: { description: 'The service is temporarily unavailable', mediaType: 'text/html' },
  }) as const;

export const contracts = () => [{ ...showChannelContent, responses: responses() }];

export const handler = publicEndpoint(
  showChannelContent,
  async ({ params, event }) => {
    const channelId = idParam(params, 'channel_id');
    const reference = params.reference ?? '';
    const acceptLanguage = event.headers['accept-language'];
    const service = channelPageService();
    return contentReply(service, show(service, channelId, reference, acceptLanguage), reference);
  },
  errorPage(framedNotice),
);
