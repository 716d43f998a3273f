import { randomUUID } from 'node:crypto';
import type { Database } from '../../lib/store/database.ts';
import { KeyFile } from '../../lib/store/private-keys.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';

/**
 * Creates the first signing key as Secrets Manager would, with the steps of the rotation function. Does nothing if a
 * private key at `location` (a `file:` URL) is published in the table.
 */
export async function ensureSigningKey(
  database: Database,
  location: string,
  rotate: (event: unknown) => Promise<unknown>,
): Promise<void> {
  const [published, kept] = await Promise.all([loadPublicKeys(database), new KeyFile(location).read()]);
  if (kept.some(({ kid }) => published.some((key) => key.kid === kid))) return;
  const rotation = { SecretId: location, ClientRequestToken: randomUUID() };
  await rotate({ ...rotation, Step: 'createSecret' });
  await rotate({ ...rotation, Step: 'finishSecret' });
}
