import * as z from 'zod';
import { responseListLimits } from '../../domain/journeys/answer.ts';
import { contract } from '../contract.ts';
import { paging, timeParam } from '../params.ts';
import type * as responses from '../responses/campaigns.ts';

const tag = 'Templates';

export const getTemplateResults = contract<typeof responses.getTemplateResults>()({
  id: 'get-template-results',
  scope: 'campaigns:read',
  tag,
  summary: 'Get the results of a template',
  description:
    'Returns how many journeys were created, opened, completed and confirmed, how far they came page by page and day by ' +
    'day, and what was answered. Each person counts once, with the latest answer. The counts follow the journeys within ' +
    'seconds. Erased persons stay counted.',
});

export const listTemplateResponses = contract<typeof responses.listTemplateResponses>()({
  id: 'list-template-responses',
  scope: 'journeys:read',
  tag,
  summary: 'List the responses to a template',
  description:
    'Returns the answers of all persons to agreements, signatures and surveys of the template. Each page costs the same. ' +
    'A later answer adds an entry. The list can be behind answers by a moment.',
  query: z.object({
    since: timeParam('Only responses of this time or later'),
    ...paging('Responses', responseListLimits),
  }),
});
