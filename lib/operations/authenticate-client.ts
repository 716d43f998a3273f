import { isSecretOf } from '../auth/secrets.ts';
import { liveSecretHashes, type StoredClient } from '../domain/client.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

export type Credentials = { clientId: string; clientSecret: string };

/** The client with this valid secret, revoked or not. An unknown client takes the same time as a wrong secret. */
export async function authenticatedClient(
  { database, now }: { database: Database; now(): number },
  { clientId, clientSecret }: Credentials,
): Promise<StoredClient | undefined> {
  const client = await loadClient(database, clientId);
  return isSecretOf(client ? liveSecretHashes(client, now()) : [], clientSecret) ? client : undefined;
}
