import { askIdentity } from '../../lib/http/contracts/pages.ts';
import { identityReply } from '../../lib/http/pages/identity.ts';
import { backTo, isProved } from '../../lib/http/pages/identity-cookie.ts';
import { errorPage, noticeReply } from '../../lib/http/pages/notices.ts';
import { askIdentity as ask } from '../../lib/operations/journeys/identity.ts';
import { journeyKeyOfSlug, openJourney, proofUse } from '../../lib/operations/journeys/show.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(
  askIdentity,
  async ({ params, query, event }) => {
    const dependencies = journeyDependencies();
    const key = await journeyKeyOfSlug(dependencies.database, params.slug ?? '');
    const view = await openJourney(dependencies, key, { page: query.page }, event.headers['accept-language']);
    if (view.closed) return noticeReply(view.closed, view.language, view);
    if (isProved(dependencies, view, event) || !(await proofUse(dependencies.database, view))) return backTo(view);
    return identityReply(dependencies, view, await ask(dependencies, view.team.team_id, view.contact), 200);
  },
  errorPage(),
);
