import { confirmJourney } from '../../lib/http/contracts/journeys.ts';
import { idParam } from '../../lib/http/params.ts';
import { ok } from '../../lib/http/reply.ts';
import { confirmJourney as confirm } from '../../lib/operations/journeys/confirm.ts';
import { shownJourney } from '../../lib/operations/journeys/list.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { contactDependencies } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(confirmJourney, async ({ caller, params, body }) => {
  const place = { templateId: idParam(params, 'template_id'), journeyId: idParam(params, 'journey_id') };
  return ok(shownJourney(await confirm(contactDependencies(), caller.teamId, place, body.is_completion_confirmed)));
});
