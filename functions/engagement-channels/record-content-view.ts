import { contract } from '../../lib/http/contract.ts';
import { isImageOfOwnPage, viewImage } from '../../lib/http/images.ts';
import { idParam } from '../../lib/http/params.ts';
import { openContent, recordContentAction } from '../../lib/operations/journeys/show-channel-content.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyService } from '../../lib/runtime/content.ts';

const recordContentView = contract<typeof responses>()({
  id: 'record-content-view',
  ofOwnPages: true,
  tag: 'Engagement channels',
  summary: 'Record a view of content in a frame, by an image',
  description:
    'For a browser or a frame without scripts. Counts only if a browser loads it as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`).',
  problems: ['identity_required'],
});

const responses = () =>
  ({
    200: { description: 'An image of one transparent pixel', mediaType: 'image/gif' },
  }) as const;

export const contracts = () => [{ ...recordContentView, responses: responses() }];

export const handler = publicEndpoint(recordContentView, async ({ params, event }) => {
  if (isImageOfOwnPage(event)) {
    const service = journeyService();
    const content = await openContent(service, idParam(params, 'channel_id'), params.reference ?? '');
    await recordContentAction(service, content, { type: 'page_viewed' });
  }
  return viewImage;
});
