import * as z from 'zod';
import { text } from '../fields.ts';
import { uuid } from '../uuid.ts';
import { idOf, optional, prose, shapeOf } from './values.ts';

const fields = {
  key: text()
    .min(1, 'must not be empty')
    .meta({ description: 'Names the objective in contact uploads: a field of this name completes it' }),
  name: optional(prose(), 'Friendly name'),
  driver_id: optional(prose(), 'Id of the driver object'),
};

/** An objective as it is imported and stored. A `team_id` that is given must be the importing team's. */
export const objectiveOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: idOf(id, 'Objective id'),
    team_id: optional(uuid(), 'Owning team: the one that imports'),
    ...fields,
  });

/** An objective as it is shown (specification, "Objective"); `team_id` is `null` when it is global. */
export const objective = z
  .object({
    id: uuid().meta({ description: 'Objective id' }),
    team_id: uuid().nullable().meta({ description: 'Owning team; `null` when the objective is global' }),
    ...fields,
  })
  .meta({ id: 'Objective', description: 'What contacts can complete' });
export type Objective = z.output<typeof objective>;
