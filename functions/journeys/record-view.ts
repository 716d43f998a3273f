import { recordView } from '../../lib/http/contracts/pages.ts';
import { isImageOfOwnPage, viewImage } from '../../lib/http/images.ts';
import { isProved } from '../../lib/http/pages/identity-cookie.ts';
import { idParam } from '../../lib/http/params.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../lib/operations/journeys/show.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(recordView, async ({ params, event }) => {
  if (isImageOfOwnPage(event)) {
    const action = { type: 'page_viewed', page_id: idParam(params, 'page_id') } as const;
    const dependencies = journeyDependencies();
    const key = await journeyKeyOfSlug(dependencies.database, params.slug ?? '');
    await recordPageAction(dependencies, key, action, (view) => isProved(dependencies, view, event));
  }
  return viewImage;
});
