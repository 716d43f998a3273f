import { Problem } from '../../lib/domain/problem.ts';
import { journeyListPages } from '../../lib/domain/template-list.ts';
import { urlAt } from '../../lib/domain/url.ts';
import { listJourneys } from '../../lib/http/contracts/journeys.ts';
import { fits, linkToNext, reply } from '../../lib/http/reply.ts';
import { validatedWith } from '../../lib/http/validation.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { cursorErrors } from '../../lib/operations/cursors.ts';
import { listJourneys as list } from '../../lib/operations/journeys/list.ts';
import { listTemplateJourneys } from '../../lib/operations/journeys/list-of-template.ts';
import { environment } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listJourneys, async ({ caller, validate, event }) => {
  const dependencies = journeyDependencies();
  const { query } = await validatedWith(validate, () =>
    cursorErrors(dependencies.database, caller.teamId, journeyListPages, event.queryStringParameters?.cursor),
  );
  const { contact_id, ...listing } = query;
  if (contact_id === undefined) {
    const page = await listTemplateJourneys(dependencies, caller.teamId, listing);
    return reply(200, page, linkToNext(urlAt(environment().ISSUER, '/v1/journeys'), page.next_cursor));
  }
  const listed = await list(dependencies, caller.teamId, contact_id);
  const journeys = listed
    .filter((journey) => (listing.template_id ?? journey.template_id) === journey.template_id)
    .map((journey) => ({ ...journey, contact: shownTo(caller, journey.contact) }));
  if (!fits(journeys)) throw new Problem('payload_too_large');
  return reply(200, journeys);
});
