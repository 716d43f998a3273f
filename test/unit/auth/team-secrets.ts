import { newSecret } from '../../../lib/auth/secrets.ts';
import type { TeamSecrets } from '../../../lib/domain/teams/team.ts';

/** The secrets of a new team, or after a number of rotations. */
export function teamSecrets(rotations = 0): TeamSecrets {
  const current = { id: rotations + 1, secret: newSecret() };
  return rotations === 0 ? [current] : [current, { id: rotations, secret: newSecret() }];
}

/** The secrets after one more rotation. */
export const rotated = ([current]: TeamSecrets): TeamSecrets => [{ id: current.id + 1, secret: newSecret() }, current];
