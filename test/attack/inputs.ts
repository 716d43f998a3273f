import type { Area } from './attack.ts';
import { json, names, values } from './bodies.ts';
import { forms } from './forms.ts';
import { headers, paths, queries } from './requests.ts';

/**
 * Malicious input. Each gets the documented error, quickly and in the documented form, and changes nothing; or it is
 * stored as ordinary data.
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
