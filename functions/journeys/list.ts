import { Problem } from '../../lib/domain/problem.ts';
import { listJourneys } from '../../lib/http/contracts/journeys.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { listJourneys as list } from '../../lib/operations/journeys/list.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listJourneys, async ({ caller, query }) => {
  const listed = await list(journeyDependencies(), caller.teamId, query.contact_id);
  const journeys = listed.map((journey) => ({ ...journey, contact: shownTo(caller, journey.contact) }));
  if (!fits(journeys)) throw new Problem('payload_too_large');
  return reply(200, journeys);
});
