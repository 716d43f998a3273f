import * as z from 'zod';
import { readsPrivate } from '../../lib/domain/access/caller.ts';
import { responseListLimits, shownResponseOf } from '../../lib/domain/journeys/answer.ts';
import { templateResponsePages } from '../../lib/domain/results/journey-list.ts';
import { templateResponseList } from '../../lib/domain/results/journey-list-responses.ts';
import { contract, nextPage } from '../../lib/http/contract.ts';
import { idParam, paging, timeParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { listTemplateResponses as list } from '../../lib/operations/results/read.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';

const listTemplateResponses = contract<typeof responses>()({
  id: 'list-template-responses',
  scope: 'journeys:read',
  tag: 'Templates',
  summary: 'List the responses to a template',
  description:
    'Returns the answers of all persons to agreements, signatures and surveys of the template. Each page costs the same. ' +
    'A later answer adds an entry. The list can be behind answers by a moment.',
  query: z.object({
    since: timeParam('Only responses of this time or later'),
    ...paging('Responses', responseListLimits),
  }),
});

const responses = () => ({
  200: {
    description: 'A page of the responses, oldest first. It can have fewer than `limit` responses',
    schema: templateResponseList,
    headers: nextPage,
  },
});

export const contracts = () => [{ ...listTemplateResponses, responses: responses() }];

export const handler = listEndpoint(listTemplateResponses, templateResponsePages, async ({ caller, params, query }) => {
  const templateId = idParam(params, 'template_id');
  const kept = await list(contactService(), caller.teamId, templateId, query, fits);
  const responses = kept.responses.map((each) => shownResponseOf(each, readsPrivate(caller)));
  const next = nextPageOf(`/v1/templates/${templateId}/responses`, kept.next_cursor);
  return reply(200, { ...kept, responses }, next);
});
