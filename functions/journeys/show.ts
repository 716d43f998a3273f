import * as z from 'zod';
import { journeyPath } from '../../lib/domain/journeys/journey.ts';
import { notFound, Problem } from '../../lib/domain/values/problem.ts';
import { contract, pageErrors, pageHeaders } from '../../lib/http/contract.ts';
import { journeyReply, pageIdOf } from '../../lib/http/pages/journey.ts';
import { errorPage, noticeReply } from '../../lib/http/pages/notices.ts';
import { found } from '../../lib/http/reply.ts';
import { pathWithQuery } from '../../lib/http/request.ts';
import { forgivenSlug, journeyKeyOfSlug, openJourney } from '../../lib/operations/journeys/show.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyService } from '../../lib/runtime/content.ts';

const showJourney = contract<typeof responses>()({
  id: 'show-journey',
  tag: 'Journeys',
  summary: 'Show a journey to its contact',
  description:
    'The page behind `web_client_url`. Anyone who knows the slug can open it. It shows the first page that is not ' +
    'completed, or the page that `page` names, or the one that follows `after`. A request alone is not a view: the page reports its ' +
    'view when it has been visible for two seconds, or at the first press or key. ' +
    '`meta_private`, and all pages of a template with `is_auth_required`, are shown only to a browser with the cookie ' +
    'of `POST /j/{slug}/identity`. Without the cookie the page asks the person to prove their identity.',
  query: z.object({
    page: z.string().optional().describe('Id of the page to show; `ending` for the ending of a completed journey'),
    after: z
      .string()
      .optional()
      .describe(
        'Id of a page that the person has answered: shows what comes next, with a link back. If something is still to ' +
          'be done on this page, shows the page itself',
      ),
  }),
});

const responses = () =>
  ({
    200: {
      description: 'The page, or the questions that prove the identity',
      mediaType: 'text/html',
      headers: pageHeaders,
    },
    302: {
      description: 'The slug is followed by punctuation, which a mail program has added to the link',
      headers: { location: 'Path of the journey' },
    },
    ...pageErrors,
  }) as const;

export const contracts = () => [{ ...showJourney, responses: responses() }];

export const handler = publicEndpoint(
  showJourney,
  async ({ params, query: { page, after }, event }) => {
    const service = journeyService();
    const { slug = '' } = params;
    const key = await journeyKeyOfSlug(service.database, slug).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
    if (!key) {
      const meant = await forgivenSlug(service.database, slug);
      if (meant === undefined) throw notFound();
      return found(pathWithQuery(journeyPath(meant), event));
    }
    const view = await openJourney(service, key, { page: pageIdOf(page), after }, event.headers['accept-language']);
    return view.closed
      ? noticeReply(view.closed, view.language, view)
      : journeyReply(service, view, event, 200, { page });
  },
  errorPage(),
);
