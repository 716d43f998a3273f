import { askIdentity } from '../../lib/http/contracts/pages.ts';
import { askIdentity as ask } from '../../lib/operations/journeys/identity.ts';
import { journeyKeyOfSlug, openJourney, proofUse } from '../../lib/operations/journeys/show.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { backTo, isProved } from '../../lib/runtime/identity.ts';
import { identityReply } from '../../lib/runtime/identity-page.ts';
import { noticeReply, pageEndpoint } from '../../lib/runtime/pages.ts';

export const handler = pageEndpoint(askIdentity, async ({ params, query, event }) => {
  const dependencies = journeyDependencies();
  const key = await journeyKeyOfSlug(dependencies.database, params.slug ?? '');
  const view = await openJourney(dependencies, key, query.page, event.headers['accept-language']);
  if (view.closed) return noticeReply(view.closed, view.language, view);
  if (isProved(view, event) || !(await proofUse(dependencies.database, view))) return backTo(view);
  return identityReply(view, await ask(dependencies, view.team.team_id, view.contact), 200);
});
