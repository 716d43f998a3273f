import * as z from 'zod';
import { objective } from '../../domain/content/objective.ts';
import { responses } from '../contract.ts';

const list = z
  .object({ objectives: z.array(objective).meta({ description: 'By `key`' }) })
  .meta({ id: 'ObjectiveList', description: 'Objectives' });

export const listObjectives = responses({ 200: { description: 'The objectives', schema: list } });
