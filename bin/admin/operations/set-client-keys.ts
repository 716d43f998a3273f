import { isExpired, type StoredClient, withKeys } from '../../../lib/domain/client.ts';
import type { ClientKey } from '../../../lib/domain/client-key.ts';
import { validationFailed } from '../../../lib/domain/problem.ts';
import { changeClient } from '../../../lib/operations/clients.ts';
import type { Service } from '../../../lib/operations/service.ts';

/**
 * Replaces the keys of a client. Assertions that are signed with the old keys are rejected from then on. `undefined` if
 * there is no such client.
 * @throws Problem `validation_failed` if the client is revoked or expired, or authenticates with a secret
 */
export const setClientKeys = (
  dependencies: Pick<Service, 'database' | 'now' | 'pause'>,
  clientId: string,
  keys: readonly ClientKey[],
): Promise<StoredClient | undefined> =>
  changeClient(dependencies, clientId, (client) => {
    if (client.revoked_at !== null) throw invalidClient('is permanently revoked: create another client');
    if (isExpired(client, dependencies.now())) throw invalidClient('has expired: create another client');
    if (client.keys === null) throw invalidClient('authenticates with a secret: create another client with --jwks');
    return withKeys(client, keys, dependencies.now());
  });

const invalidClient = (message: string) => validationFailed([{ path: '/client', message }]);
