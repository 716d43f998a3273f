import { isSecretOf } from '../auth/secrets.ts';
import { liveSecretHashes, type StoredClient } from '../domain/client.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

export type Credentials = { clientId: string; clientSecret: string };

/** The client whose live secret this is, revoked or not. An unknown client costs the same time as a wrong secret. */
export async function authenticatedClient(
  { database, now }: { database: Database; now(): number },
  { clientId, clientSecret }: Credentials,
): Promise<StoredClient | undefined> {
  const client = await loadClient(database, clientId);
  return isSecretOf(client ? liveSecretHashes(client, now()) : [], clientSecret) ? client : undefined;
}
