import * as z from 'zod';
import { contract, pageErrors, pageHeaders } from '../../lib/http/contract.ts';
import { identityReply } from '../../lib/http/pages/identity.ts';
import { backTo, isProved } from '../../lib/http/pages/identity-cookie.ts';
import { errorPage, noticeReply } from '../../lib/http/pages/notices.ts';
import { askIdentity as ask } from '../../lib/operations/journeys/identity.ts';
import { journeyKeyOfSlug, openJourney, proofUse } from '../../lib/operations/journeys/show.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyService } from '../../lib/runtime/content.ts';

const askIdentity = contract<typeof responses>()({
  id: 'ask-identity',
  tag: 'Journeys',
  ofOwnPages: true,
  summary: 'Show the questions that prove the identity',
  description:
    'Asks for two facts that are on file, or says why it cannot ask now. Redirects to the journey page if there is ' +
    'nothing to prove.',
  query: z.object({
    page: z.string().optional().meta({ description: 'Id of the page that asks for the proof', format: 'uuid' }),
  }),
});

const responses = () =>
  ({
    200: { description: 'The questions', mediaType: 'text/html', headers: pageHeaders },
    303: { description: 'There is nothing to prove', headers: { location: 'URL of the journey page' } },
    ...pageErrors,
  }) as const;

export const contracts = () => [{ ...askIdentity, responses: responses() }];

export const handler = publicEndpoint(
  askIdentity,
  async ({ params, query, event }) => {
    const service = journeyService();
    const key = await journeyKeyOfSlug(service.database, params.slug ?? '');
    const view = await openJourney(service, key, { page: query.page }, event.headers['accept-language']);
    if (view.closed) return noticeReply(view.closed, view.language, view);
    if (isProved(service, view, event) || !(await proofUse(service.database, view))) return backTo(view);
    return identityReply(service, view, await ask(service, view.team.team_id, view.contact), 200);
  },
  errorPage(),
);
