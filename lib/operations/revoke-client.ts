import { type RevokedBy, revoked, type StoredClient } from '../domain/client.ts';
import type { Database } from '../store/database.ts';
import { type AuthenticateClient, authenticatedClient, type Credentials } from './authenticate-client.ts';
import { changeClient } from './change-client.ts';

export type RevokeClient = { database: Database; now(): number };

/** Revokes the client for good; one that is revoked already stays as it is. `undefined` when there is none. */
export const revokeClient = (
  { database, now }: RevokeClient,
  clientId: string,
  by: RevokedBy,
): Promise<StoredClient | undefined> => changeClient(database, clientId, (client) => revoked(client, by, now()));

/**
 * Revokes whichever client's live secret was shown in an address (contract, section 2); a wrong secret revokes nobody.
 * Gives the ids of those revoked.
 */
export async function revokeExposed(
  dependencies: AuthenticateClient,
  shown: readonly Credentials[],
): Promise<string[]> {
  const revokedIds: string[] = [];
  for (const credentials of shown) {
    const client = await authenticatedClient(dependencies, credentials);
    if (!client) continue;
    await revokeClient(dependencies, client.client_id, 'query_string');
    revokedIds.push(client.client_id);
  }
  return revokedIds;
}
