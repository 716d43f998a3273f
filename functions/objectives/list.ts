import * as z from 'zod';
import { objective } from '../../lib/domain/campaigns/objective.ts';
import { contract } from '../../lib/http/contract.ts';
import { reply } from '../../lib/http/reply.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const listObjectives = contract<typeof responses>()({
  id: 'list-objectives',
  scope: 'campaigns:read',
  tag: 'Objectives',
  summary: 'List objectives',
  description:
    "Returns the team's objectives and the global ones, by `key`. A contact field with that name completes the objective.",
});

const responses = () => {
  const objectiveList = z
    .object({ objectives: z.array(objective).describe('By `key`') })
    .meta({ id: 'ObjectiveList', description: 'Objectives' });
  return { 200: { description: 'The objectives', schema: objectiveList } };
};

export const contracts = () => [{ ...listObjectives, responses: responses() }];

export const handler = bearerEndpoint(listObjectives, async ({ caller }) => {
  const { objectives } = await contentCache().current(caller.teamId);
  return reply(200, { objectives });
});
