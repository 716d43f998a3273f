import { contract } from '../../lib/http/contract.ts';
import { isImageOfOwnPage, viewImage } from '../../lib/http/images.ts';
import { isProved } from '../../lib/http/pages/identity-cookie.ts';
import { idParam } from '../../lib/http/params.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../lib/operations/journeys/show.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyService } from '../../lib/runtime/content.ts';

const recordView = contract<typeof responses>()({
  id: 'record-view',
  tag: 'Journeys',
  ofOwnPages: true,
  summary: 'Record a view of a page of a journey, by an image',
  description:
    'For the journey page in a browser without scripts. Counts only if a browser loads it as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`), so a link scanner that follows the URL records nothing. `HEAD`, and requests ' +
    'with `Sec-Purpose` or `Purpose`, record nothing.',
  problems: ['identity_required', 'gone'],
});

const responses = () =>
  ({
    200: { description: 'An image of one transparent pixel', mediaType: 'image/gif' },
  }) as const;

export const contracts = () => [{ ...recordView, responses: responses() }];

export const handler = publicEndpoint(recordView, async ({ params, event }) => {
  if (isImageOfOwnPage(event)) {
    const action = { type: 'page_viewed', page_id: idParam(params, 'page_id') } as const;
    const service = journeyService();
    const key = await journeyKeyOfSlug(service.database, params.slug ?? '');
    await recordPageAction(service, key, action, (view) => isProved(service, view, event));
  }
  return viewImage;
});
