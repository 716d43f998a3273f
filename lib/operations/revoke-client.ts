import { type RevokedBy, revoked, type StoredClient } from '../domain/client.ts';
import { authenticatedClient, type Credentials } from './authenticate-client.ts';
import { type ChangeClientDependencies, changeClient } from './change-client.ts';

/** Revokes the client permanently. A revoked client is not changed. `undefined` if there is no such client. */
export const revokeClient = (
  dependencies: ChangeClientDependencies,
  clientId: string,
  by: RevokedBy,
): Promise<StoredClient | undefined> =>
  changeClient(dependencies, clientId, (client) => revoked(client, by, dependencies.now()));

/**
 * Revokes the clients whose valid secrets were sent in a URL (contract, section 2). A wrong secret revokes no client.
 * @returns the ids of the revoked clients
 */
export async function revokeExposed(
  dependencies: ChangeClientDependencies,
  exposed: readonly Credentials[],
): Promise<string[]> {
  const revokedIds: string[] = [];
  for (const credentials of exposed) {
    const client = await authenticatedClient(dependencies, credentials);
    if (!client) continue;
    await revokeClient(dependencies, client.client_id, 'query_string');
    revokedIds.push(client.client_id);
  }
  return revokedIds;
}
