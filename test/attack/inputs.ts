import type { Area } from './attack.ts';
import { json, names, values } from './bodies.ts';
import { forms } from './forms.ts';
import { headers, paths, queries } from './requests.ts';

/**
 * Input that nobody means well by: each gets the documented error, quickly and in the documented form, and changes
 * nothing; or it is data like any other.
 */
export const inputs: Area = async (world, extent) => [
  ...names(world),
  ...json(world, extent),
  ...values(world),
  ...headers(world),
  ...paths(world),
  ...queries(world),
  ...forms(world, extent),
];
