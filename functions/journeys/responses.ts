import { responseListPages, shownResponseOf } from '../../lib/domain/journeys/answer.ts';
import { listResponses } from '../../lib/http/contracts/journeys.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { readsPrivate } from '../../lib/http/visibility.ts';
import { listResponses as list } from '../../lib/operations/journeys/responses.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = listEndpoint(listResponses, responseListPages, async ({ caller, params, query }) => {
  const journeyId = idParam(params, 'journey_id');
  const kept = await list(runtime(), caller.teamId, journeyId, query);
  const page = { ...kept, responses: kept.responses.map((each) => shownResponseOf(each, readsPrivate(caller))) };
  return reply(200, page, nextPageOf(`/v1/journeys/${journeyId}/responses`, page.next_cursor));
});
