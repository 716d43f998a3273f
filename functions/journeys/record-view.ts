import { recordView } from '../../lib/http/contracts/pages.ts';
import { idParam } from '../../lib/http/params.ts';
import { isImageOfOwnPage, viewImage } from '../../lib/http/view-image.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { progress } from '../../lib/runtime/table.ts';

export const handler = publicEndpoint(recordView, async ({ params, event }) => {
  if (isImageOfOwnPage(event)) {
    const action = { type: 'page_viewed', page_id: idParam(params, 'page_id') } as const;
    await recordPageAction(progress(), params.slug ?? '', action);
  }
  return viewImage;
});
