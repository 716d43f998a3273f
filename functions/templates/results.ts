import * as z from 'zod';
import { readsPrivate } from '../../lib/domain/access/caller.ts';
import { responseListLimits, shownResponseOf } from '../../lib/domain/journeys/answer.ts';
import { templateResponsePages } from '../../lib/domain/results/journey-list.ts';
import { templateResponseList } from '../../lib/domain/results/journey-list-responses.ts';
import { results as resultsSchema, shownResults } from '../../lib/domain/results/results.ts';
import { contract, nextPage } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam, paging, timeParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { listTemplateResponses as list, readResults } from '../../lib/operations/results/read.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';

const getTemplateResults = contract<typeof getResultsResponses>()({
  id: 'get-template-results',
  scope: 'campaigns:read',
  tag: 'Templates',
  summary: 'Get the results of a template',
  description:
    'Returns how many journeys were created, opened, completed and confirmed, how far they came page by page and day by ' +
    'day, and what was answered. Each person counts once, with the latest answer. The counts follow the journeys within ' +
    'seconds. Erased persons stay counted.',
});

const getResultsResponses = () => ({ 200: { description: 'The results', schema: resultsSchema } });

const results = bearerEndpoint(getTemplateResults, async ({ caller, params }) =>
  reply(200, shownResults(await readResults(contactService(), caller.teamId, idParam(params, 'template_id')))),
);

const listTemplateResponses = contract<typeof listResponsesResponses>()({
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

const listResponsesResponses = () => ({
  200: {
    description: 'A page of the responses, oldest first. It can have fewer than `limit` responses',
    schema: templateResponseList,
    headers: nextPage,
  },
});

const responses = listEndpoint(listTemplateResponses, templateResponsePages, async ({ caller, params, query }) => {
  const templateId = idParam(params, 'template_id');
  const kept = await list(contactService(), caller.teamId, templateId, query, fits);
  const responses = kept.responses.map((each) => shownResponseOf(each, readsPrivate(caller)));
  const next = nextPageOf(`/v1/templates/${templateId}/responses`, kept.next_cursor);
  return reply(200, { ...kept, responses }, next);
});

export const contracts = () => [
  { ...getTemplateResults, responses: getResultsResponses() },
  { ...listTemplateResponses, responses: listResponsesResponses() },
];

export const handler = byRoute({
  'GET /v1/templates/{template_id}/results': results,
  'GET /v1/templates/{template_id}/responses': responses,
});
