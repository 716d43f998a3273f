import * as z from 'zod';
import { readsPrivate } from '../../lib/domain/access/caller.ts';
import {
  responseListLimits,
  responseListPages,
  shownResponse,
  shownResponseOf,
} from '../../lib/domain/journeys/answer.ts';
import { nextCursor } from '../../lib/domain/values/cursor.ts';
import { contract, nextPage } from '../../lib/http/contract.ts';
import { idParam, paging } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { listResponses as list } from '../../lib/operations/journeys/responses.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { service } from '../../lib/runtime/table.ts';

const listResponses = contract<typeof responses>()({
  id: 'list-responses',
  scope: 'journeys:read',
  tag: 'Journeys',
  summary: "List a journey's responses",
  description:
    'Returns the answers to agreements, signatures and surveys: the text of the block, the answer, the time, and if the ' +
    'person had proved their identity. A later answer adds an entry. Entries never change. A person has at most 50 ' +
    'answers to one block.',
  query: z.object({
    ...paging('Responses', responseListLimits),
  }),
});

const responses = () => ({
  200: {
    description: 'A page of the responses, oldest first',
    schema: z
      .object({
        responses: z.array(shownResponse).describe('Oldest first'),
        has_more: z.boolean().describe('True if more responses follow'),
        next_cursor: nextCursor(),
      })
      .meta({ id: 'ResponseList', description: 'A page of the responses of a journey' }),
    headers: nextPage,
  },
});

export const contracts = () => [{ ...listResponses, responses: responses() }];

export const handler = listEndpoint(listResponses, responseListPages, async ({ caller, params, query }) => {
  const journeyId = idParam(params, 'journey_id');
  const kept = await list(service(), caller.teamId, journeyId, query);
  const page = { ...kept, responses: kept.responses.map((each) => shownResponseOf(each, readsPrivate(caller))) };
  return reply(200, page, nextPageOf(`/v1/journeys/${journeyId}/responses`, page.next_cursor));
});
