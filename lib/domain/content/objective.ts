import * as z from 'zod';
import { text } from '../fields.ts';
import { optional, prose, shapeOf, uuid } from './values.ts';

const fields = {
  key: text().min(1, 'must not be empty'),
  name: optional(prose()),
  driver_id: optional(prose()),
};

/** An objective as it is imported and stored. A `team_id` that is given must be the importing team's. */
export const objectiveOf = <Id extends z.ZodType>(id: Id) => shapeOf({ id, team_id: optional(uuid()), ...fields });

/** An objective as it is shown (specification, "Objective"); `team_id` is `null` when it is global. */
export const objective = z.object({ id: uuid(), team_id: uuid().nullable(), ...fields }).meta({ id: 'Objective' });
export type Objective = z.output<typeof objective>;
