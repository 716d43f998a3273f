import type { Database } from './database.ts';
import { digestOf } from './digest.ts';
import { assertionKey } from './keys.ts';

/** Seconds that a used assertion is kept beyond its expiry, for instances whose clocks are behind. */
const keptBeyondExpiry = 60;

/**
 * Records that the client used the assertion. False where it was used before.
 * @param assertion.expiresAt Unix seconds
 * @param use a fresh id: where the response to the write was lost, it tells this use from another one
 */
export async function recordAssertion(
  database: Database,
  clientId: string,
  { jti, expiresAt }: { jti: string; expiresAt: number },
  use: string,
): Promise<boolean> {
  const key = assertionKey(clientId, digestOf(jti));
  const item = { ...key, used_by: use, expires_at: expiresAt + keptBeyondExpiry };
  const [written] = await database.write([{ kind: 'insert', item }]);
  if (written) return true;
  const [stored] = await database.get([key]);
  return stored?.used_by === use;
}
