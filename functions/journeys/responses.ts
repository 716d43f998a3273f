import { responseListPages, shownResponseOf } from '../../lib/domain/response.ts';
import { urlAt } from '../../lib/domain/url.ts';
import { listResponses } from '../../lib/http/contracts/journeys.ts';
import { idParam } from '../../lib/http/params.ts';
import { linkToNext, reply } from '../../lib/http/reply.ts';
import { validatedWith } from '../../lib/http/validation.ts';
import { readsPrivate } from '../../lib/http/visibility.ts';
import { cursorErrors } from '../../lib/operations/cursors.ts';
import { listResponses as list } from '../../lib/operations/journeys/responses.ts';
import { environment } from '../../lib/runtime/base.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(listResponses, async ({ caller, params, validate, event }) => {
  const { query } = await validatedWith(validate, () =>
    cursorErrors(runtime().database, caller.teamId, responseListPages, event.queryStringParameters?.cursor),
  );
  const journeyId = idParam(params, 'journey_id');
  const kept = await list(runtime(), caller.teamId, journeyId, query);
  const page = { ...kept, responses: kept.responses.map((each) => shownResponseOf(each, readsPrivate(caller))) };
  const url = urlAt(environment().ISSUER, `/v1/journeys/${journeyId}/responses`);
  return reply(200, page, linkToNext(url, page.next_cursor));
});
