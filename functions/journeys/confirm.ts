import { shownJourneyOf } from '../../lib/domain/journeys/shown.ts';
import { confirmJourney } from '../../lib/http/contracts/journeys.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenJourneyTo } from '../../lib/http/visibility.ts';
import { confirmJourney as confirm } from '../../lib/operations/journeys/confirm.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(confirmJourney, async ({ caller, params, body }) => {
  const ids = { templateId: idParam(params, 'template_id'), journeyId: idParam(params, 'journey_id') };
  const journey = await confirm(runtime(), caller.teamId, ids, body.is_completion_confirmed);
  return reply(200, writtenJourneyTo(caller, shownJourneyOf(journey)));
});
