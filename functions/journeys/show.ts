import { showJourney } from '../../lib/http/contracts/pages.ts';
import { journeyKeyOfSlug, openJourney } from '../../lib/operations/journeys/show.ts';
import { journeyReply, pageIdOf } from '../../lib/pages/journey.ts';
import { errorPage, noticeReply } from '../../lib/pages/notices.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(
  showJourney,
  async ({ params, query: { page, after }, event }) => {
    const dependencies = journeyDependencies();
    const key = await journeyKeyOfSlug(dependencies.database, params.slug ?? '');
    const view = await openJourney(
      dependencies,
      key,
      { page: pageIdOf(page), after },
      event.headers['accept-language'],
    );
    return view.closed
      ? noticeReply(view.closed, view.language, view)
      : journeyReply(dependencies, view, event, 200, { page });
  },
  errorPage(),
);
