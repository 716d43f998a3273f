import { isSecretOf } from '../auth/secrets.ts';
import { liveSecretHashes, type StoredClient } from '../domain/client.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

export type Credentials = { clientId: string; clientSecret: string };

/** The client that the credentials name, and whether they prove it. A proven client can be revoked or expired. */
export type Authentication = { client: StoredClient | undefined; isProven: boolean };

/** An unknown client takes the same time as a wrong secret. */
export async function authentication(
  { database, now }: { database: Database; now(): number },
  { clientId, clientSecret }: Credentials,
): Promise<Authentication> {
  const client = await loadClient(database, clientId);
  return { client, isProven: isSecretOf(client ? liveSecretHashes(client, now()) : [], clientSecret) };
}
