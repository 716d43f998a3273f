import { journeyPath } from '../../lib/domain/journeys/journey.ts';
import { notFound, Problem } from '../../lib/domain/values/problem.ts';
import { showJourney } from '../../lib/http/contracts/pages.ts';
import { journeyReply, pageIdOf } from '../../lib/http/pages/journey.ts';
import { errorPage, noticeReply } from '../../lib/http/pages/notices.ts';
import { found } from '../../lib/http/reply.ts';
import { pathWithQuery } from '../../lib/http/request.ts';
import { forgivenSlug, journeyKeyOfSlug, openJourney } from '../../lib/operations/journeys/show.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(
  showJourney,
  async ({ params, query: { page, after }, event }) => {
    const dependencies = journeyDependencies();
    const { slug = '' } = params;
    const key = await journeyKeyOfSlug(dependencies.database, slug).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
    if (!key) {
      const meant = await forgivenSlug(dependencies.database, slug);
      if (meant === undefined) throw notFound();
      return found(pathWithQuery(journeyPath(meant), event));
    }
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
