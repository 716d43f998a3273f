import * as z from 'zod';
import { text } from '../values/fields.ts';
import { uuid } from '../values/uuid.ts';
import { optional, prose, shapeOf } from './values.ts';

const fields = {
  key: text().min(1, 'must not be empty').describe('Key of the objective. A contact field with this name completes it'),
  name: optional(prose(), 'Friendly name'),
  driver_id: optional(prose(), 'Id of the driver object'),
};

/** An objective as it is imported and stored. `team_id`, if given, must be that of the importing team. */
export const objectiveOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: id.describe('Objective id'),
    team_id: optional(uuid(), 'Owning team: the one that imports'),
    ...fields,
  });

/** An objective in responses (specification, "Objective"). `team_id` is `null` if it is global. */
export const objective = z
  .object({
    id: uuid().describe('Objective id'),
    team_id: uuid().nullable().describe('Id of the owning team; `null` if the objective is global'),
    ...fields,
  })
  .meta({ id: 'Objective', description: 'Something that contacts can complete' });
export type Objective = z.output<typeof objective>;
