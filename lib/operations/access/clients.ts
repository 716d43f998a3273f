import { isSecretOf } from '../../auth/secrets.ts';
import {
  type ExposedCredentials,
  liveSecretHashes,
  type RevokedBy,
  revoked,
  type StoredClient,
} from '../../domain/access/client.ts';
import { loadClient, recordAssertion, saveClient } from '../../store/access/clients.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';
import { recordRevocation, type TokenAudit } from './audit.ts';
import { verifiedFor } from './authenticate.ts';

/** Revokes the client permanently. A revoked client is not changed. `undefined` if there is no such client. */
export const revokeClient = (service: Service, clientId: string, by: RevokedBy): Promise<StoredClient | undefined> =>
  changeClient(service, clientId, (client) => revoked(client, by, service.now()));

/** Clients that are read, secrets that are compared and assertions that are verified for one request, whatever it has. */
const maxExposed = 4;

/**
 * Revokes the clients whose valid secrets or assertions were sent in a URL (contract, section 2). What is not valid
 * revokes no client. The entry of the audit log is written afterwards, because it must not delay the revocation. If it
 * cannot be written, the response is 503, so that the request is sent again.
 * @returns the ids of the revoked clients
 */
export async function revokeExposed(
  service: TokenAudit,
  { clientIds, secrets, assertions }: ExposedCredentials,
): Promise<string[]> {
  const { database, now, newId } = service;
  const read = new Map<string, Promise<StoredClient | undefined>>();
  const clientOf = async (clientId: string) => {
    if (!read.has(clientId) && read.size < maxExposed) read.set(clientId, loadClient(database, clientId));
    return read.get(clientId);
  };
  const exposed = new Map<string, StoredClient>();
  for (const assertion of assertions.slice(0, maxExposed)) {
    const verified = await verifiedFor(service, assertion, clientOf);
    if (!verified) continue;
    await recordAssertion(database, verified.client.client_id, verified, newId());
    exposed.set(verified.client.client_id, verified.client);
  }
  const compared = secrets.slice(0, maxExposed);
  for (const clientId of compared.length > 0 ? clientIds : []) {
    const client = await clientOf(clientId);
    const hashes = client ? liveSecretHashes(client, now()) : [];
    if (client && compared.some((secret) => isSecretOf(hashes, secret))) exposed.set(clientId, client);
  }
  for (const client of exposed.values()) {
    await revokeClient(service, client.client_id, 'query_string');
    await recordRevocation(service, client);
  }
  return [...exposed.keys()];
}

/**
 * Reads the client, calls `change` and stores its result. A lost race is retried. If `change` returns the same object,
 * nothing is written. `undefined` if there is no such client.
 */
export const changeClient = (
  { database, pause }: Pick<Service, 'database' | 'pause'>,
  clientId: string,
  change: (client: StoredClient) => StoredClient,
): Promise<StoredClient | undefined> =>
  untilWritten({ pause }, 'too many conflicts on the client', async () => {
    const client = await loadClient(database, clientId);
    if (!client) return undefined;
    const changed = change(client);
    return changed === client || (await saveClient(database, changed)) ? changed : lostRace;
  });
