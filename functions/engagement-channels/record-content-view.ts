import { recordContentView } from '../../lib/http/contracts/channel-pages.ts';
import { isImageOfOwnPage, viewImage } from '../../lib/http/images.ts';
import { idParam } from '../../lib/http/params.ts';
import { openContent, recordContentAction } from '../../lib/operations/journeys/show-channel-content.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(recordContentView, async ({ params, event }) => {
  if (isImageOfOwnPage(event)) {
    const dependencies = journeyDependencies();
    const content = await openContent(dependencies, idParam(params, 'channel_id'), params.reference ?? '');
    await recordContentAction(dependencies, content, { type: 'page_viewed' });
  }
  return viewImage;
});
