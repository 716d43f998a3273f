import type { Database } from './database.ts';
import { digestOf } from './digest.ts';
import { assertionKey } from './keys.ts';

/** Seconds that a used assertion is kept after its expiry, for instances whose clocks are slow. */
const keptBeyondExpiry = 60;

/**
 * Records that the client used the assertion. False if it was used before.
 * @param assertion.expiresAt Unix seconds
 * @param use a fresh id, which tells this use from others if the response to the write was lost
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
