import { recordView } from '../../lib/http/contracts/pages.ts';
import { idParam } from '../../lib/http/params.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { progress } from '../../lib/runtime/table.ts';

/** The smallest image that there is: one pixel of nothing. */
const pixel = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

export const handler = publicEndpoint(recordView, async ({ params, event }) => {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site } = event.headers;
  if (destination === 'image' && site === 'same-origin') {
    const action = { type: 'page_viewed', page_id: idParam(params, 'page_id') } as const;
    await recordPageAction(progress(), params.slug ?? '', action);
  }
  const content = { type: 'image/gif', text: pixel, base64: true };
  return { status: 200, headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }, content };
});
