import { showJourney } from '../../lib/http/contracts/pages.ts';
import { journeyKeyOfSlug, openJourney } from '../../lib/operations/journeys/show.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { journeyReply, pageIdOf } from '../../lib/runtime/journey-page.ts';
import { noticeReply, pageEndpoint } from '../../lib/runtime/pages.ts';

export const handler = pageEndpoint(showJourney, async ({ params, query: { page }, event }) => {
  const dependencies = journeyDependencies();
  const key = await journeyKeyOfSlug(dependencies.database, params.slug ?? '');
  const view = await openJourney(dependencies, key, pageIdOf(page), event.headers['accept-language']);
  return view.closed ? noticeReply(view.closed, view.language, view) : journeyReply(view, event, 200, { page });
});
