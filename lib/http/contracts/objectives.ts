import * as z from 'zod';
import { objective } from '../../domain/content/objective.ts';
import { contract } from '../contract.ts';

const list = z
  .object({ objectives: z.array(objective).meta({ description: 'By `key`' }) })
  .meta({ id: 'ObjectiveList', description: 'Objectives' });

export const listObjectives = contract({
  id: 'list-objectives',
  scope: 'campaigns:read',
  tag: 'Objectives',
  summary: 'List objectives',
  description:
    "Returns the team's objectives and the global ones, by `key`. A contact field with that name completes the objective.",
  responses: { 200: { description: 'The objectives', schema: list } },
});
