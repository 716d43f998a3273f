import { randomUUID } from 'node:crypto';
import type { Database } from '../../lib/store/database.ts';
import { privateKeysAt } from '../../lib/store/private-keys.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';

/**
 * Makes the first signing key as Secrets Manager would: by the rotation function's own steps. Nothing happens where the
 * private key at `location` (a `file:` URL) is one that the table publishes.
 */
export async function ensureSigningKey(
  database: Database,
  location: string,
  rotate: (event: unknown) => Promise<unknown>,
): Promise<void> {
  const [published, kept] = await Promise.all([loadPublicKeys(database), privateKeysAt(location).read()]);
  if (kept.some(({ kid }) => published.some((key) => key.kid === kid))) return;
  const rotation = { SecretId: location, ClientRequestToken: randomUUID() };
  await rotate({ ...rotation, Step: 'createSecret' });
  await rotate({ ...rotation, Step: 'finishSecret' });
}
