import { liveSecretHashes, type StoredClient } from '../domain/client.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

export type Credentials = { clientId: string; clientSecret: string };

export type AuthenticateClient = {
  database: Database;
  now(): number;
  /** In constant time; no hashes cost the same as a wrong one. */
  isSecretOf(hashes: readonly string[], secret: string): boolean;
};

/** The client whose live secret this is, revoked or not. */
export async function authenticatedClient(
  { database, now, isSecretOf }: AuthenticateClient,
  { clientId, clientSecret }: Credentials,
): Promise<StoredClient | undefined> {
  const client = await loadClient(database, clientId);
  return isSecretOf(client ? liveSecretHashes(client, now()) : [], clientSecret) ? client : undefined;
}
