import { startedJourneyOf } from '../../lib/domain/journeys/shown.ts';
import { createJourney } from '../../lib/http/contracts/journey-start.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenJourneyTo } from '../../lib/http/visibility.ts';
import { createJourney as create } from '../../lib/operations/journeys/create.ts';
import { environment } from '../../lib/runtime/base.ts';
import { contactDependencies } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(createJourney, async ({ caller, params, body, strictErrors }) => {
  const dependencies = contactDependencies(caller, strictErrors !== undefined);
  const request = { ...body, errors: [...body.errors, ...(strictErrors ?? [])] };
  const applied = await create(dependencies, caller.teamId, idParam(params, 'template_id'), request);
  const started = writtenJourneyTo(caller, startedJourneyOf(applied.journey, environment().ISSUER));
  return applied.created ? reply(201, started) : reply(200, started);
});
