import { type RevokedBy, revoked, type StoredClient } from '../domain/client.ts';
import { recordRevocation, type TokenAuditDependencies } from './audit-tokens.ts';
import { authentication, type Credentials } from './authenticate-client.ts';
import { type ChangeClientDependencies, changeClient } from './change-client.ts';

/** Revokes the client for good; one that is revoked already stays as it is. `undefined` when there is none. */
export const revokeClient = (
  dependencies: ChangeClientDependencies,
  clientId: string,
  by: RevokedBy,
): Promise<StoredClient | undefined> =>
  changeClient(dependencies, clientId, (client) => revoked(client, by, dependencies.now()));

/**
 * Revokes whichever client's live secret was shown in an address (contract, section 2); a wrong secret revokes nobody.
 * Gives the ids of those revoked. The entry of the audit log comes second: shutting the client out must not wait for it,
 * and where it cannot be written the response is 503, so that the request is sent again.
 */
export async function revokeExposed(
  dependencies: ChangeClientDependencies & TokenAuditDependencies,
  shown: readonly Credentials[],
): Promise<string[]> {
  const revokedIds: string[] = [];
  for (const credentials of shown) {
    const { client, isProven } = await authentication(dependencies, credentials);
    if (!client || !isProven) continue;
    await revokeClient(dependencies, client.client_id, 'query_string');
    await recordRevocation(dependencies, client);
    revokedIds.push(client.client_id);
  }
  return revokedIds;
}
