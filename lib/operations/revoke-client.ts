import { type RevokedBy, revoked, type StoredClient } from '../domain/client.ts';
import { recordRevocation, type TokenAuditDependencies } from './audit-tokens.ts';
import { authentication, type Credentials } from './authenticate-client.ts';
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
 * The entry of the audit log is written afterwards, because it must not delay the revocation. If it cannot be written,
 * the response is 503, so that the request is sent again.
 * @returns the ids of the revoked clients
 */
export async function revokeExposed(
  dependencies: ChangeClientDependencies & TokenAuditDependencies,
  exposed: readonly Credentials[],
): Promise<string[]> {
  const revokedIds: string[] = [];
  for (const credentials of exposed) {
    const { client, isProven } = await authentication(dependencies, credentials);
    if (!client || !isProven) continue;
    await revokeClient(dependencies, client.client_id, 'query_string');
    await recordRevocation(dependencies, client);
    revokedIds.push(client.client_id);
  }
  return revokedIds;
}
