import { Problem } from '../../lib/domain/problem.ts';
import { shownResponseOf } from '../../lib/domain/response.ts';
import { listResponses } from '../../lib/http/contracts/journeys.ts';
import { idParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { readsPrivate } from '../../lib/http/visibility.ts';
import { listResponses as list } from '../../lib/operations/journeys/responses.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(listResponses, async ({ caller, params }) => {
  const kept = await list(runtime(), caller.teamId, idParam(params, 'journey_id'));
  const page = { responses: kept.map((response) => shownResponseOf(response, readsPrivate(caller))) };
  if (!fits(page)) throw new Problem('payload_too_large');
  return reply(200, page);
});
