import { journeyListPages } from '../../lib/domain/results/journey-list.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { listJourneys } from '../../lib/http/contracts/journeys.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { listJourneys as list } from '../../lib/operations/journeys/list.ts';
import { listTemplateJourneys } from '../../lib/operations/results/list-journeys.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';

export const handler = listEndpoint(listJourneys, journeyListPages, async ({ caller, query }) => {
  const dependencies = journeyDependencies();
  const { contact_id, ...listing } = query;
  if (contact_id === undefined) {
    const page = await listTemplateJourneys(dependencies, caller.teamId, listing);
    return reply(200, page, nextPageOf('/v1/journeys', page.next_cursor));
  }
  const listed = await list(dependencies, caller.teamId, contact_id);
  const journeys = listed
    .filter((journey) => (listing.template_id ?? journey.template_id) === journey.template_id)
    .map((journey) => ({ ...journey, contact: shownTo(caller, journey.contact) }));
  if (!fits(journeys)) throw new Problem('payload_too_large');
  return reply(200, journeys);
});
