import { askIdentity } from '../../lib/http/contracts/pages.ts';
import { askIdentity as ask } from '../../lib/operations/journeys/identity.ts';
import { openJourney, placeOfSlug } from '../../lib/operations/journeys/show.ts';
import { progress } from '../../lib/runtime/content.ts';
import { backTo, identities, identityReply, isProved } from '../../lib/runtime/identity.ts';
import { noticeReply, pageEndpoint } from '../../lib/runtime/pages.ts';

export const handler = pageEndpoint(askIdentity, async ({ params, query, event }) => {
  const dependencies = progress();
  const place = await placeOfSlug(dependencies.database, params.slug ?? '');
  const view = await openJourney(dependencies, place, query.page);
  if (view.closed) return noticeReply(view.closed, view.language);
  if (!view.identityNeed || isProved(view, event)) return backTo(view);
  return identityReply(view, await ask(identities(), view.team.team_id, view.contact), 200);
});
