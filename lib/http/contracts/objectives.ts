import { contract } from '../contract.ts';
import type * as responses from '../responses/objectives.ts';

export const listObjectives = contract<typeof responses.listObjectives>()({
  id: 'list-objectives',
  scope: 'campaigns:read',
  tag: 'Objectives',
  summary: 'List objectives',
  description:
    "Returns the team's objectives and the global ones, by `key`. A contact field with that name completes the objective.",
});
