import { recordContentView } from '../../lib/http/contracts/channel-pages.ts';
import { idParam } from '../../lib/http/params.ts';
import { isImageOfOwnPage, viewImage } from '../../lib/http/view-image.ts';
import { recordContentAction } from '../../lib/operations/show-channel-content.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { channelContent } from '../../lib/runtime/channel.ts';

export const handler = publicEndpoint(recordContentView, async ({ params, event }) => {
  if (isImageOfOwnPage(event)) {
    await recordContentAction(channelContent(), idParam(params, 'channel_id'), params.reference ?? '', 'page_viewed');
  }
  return viewImage;
});
