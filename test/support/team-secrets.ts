import { newSecret } from '../../lib/auth/secrets.ts';
import type { TeamSecrets } from '../../lib/domain/team.ts';

/** As a team has them at first, or after that many rotations. */
export function teamSecrets(rotations = 0): TeamSecrets {
  const current = { id: rotations + 1, secret: newSecret() };
  return rotations === 0 ? [current] : [current, { id: rotations, secret: newSecret() }];
}

/** The same after a rotation. */
export const rotated = ([current]: TeamSecrets): TeamSecrets => [{ id: current.id + 1, secret: newSecret() }, current];
