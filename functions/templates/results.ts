import { results, shownResults } from '../../lib/domain/results/results.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { readResults } from '../../lib/operations/results/read.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const getTemplateResults = contract<typeof responses>()({
  id: 'get-template-results',
  scope: 'campaigns:read',
  tag: 'Templates',
  summary: 'Get the results of a template',
  description:
    'Returns how many journeys were created, opened, completed and confirmed, how far they came page by page and day by ' +
    'day, and what was answered. Each person counts once, with the latest answer. The counts follow the journeys within ' +
    'seconds. Erased persons stay counted.',
});

const responses = () => ({ 200: { description: 'The results', schema: results } });

export const contracts = () => [{ ...getTemplateResults, responses: responses() }];

export const handler = bearerEndpoint(getTemplateResults, async ({ caller, params }) =>
  reply(200, shownResults(await readResults(contactService(), caller.teamId, idParam(params, 'template_id')))),
);
