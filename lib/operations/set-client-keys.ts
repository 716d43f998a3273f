import { isExpired, type StoredClient, withKeys } from '../domain/client.ts';
import type { ClientKey } from '../domain/client-key.ts';
import { validationFailed } from '../domain/problem.ts';
import { type ChangeClientDependencies, changeClient } from './change-client.ts';

/**
 * Replaces the keys of a client; assertions by those before are refused from then on. `undefined` when there is no such
 * client.
 * @throws Problem `validation_failed` when it is revoked or expired, or authenticates by a secret
 */
export const setClientKeys = (
  dependencies: ChangeClientDependencies,
  clientId: string,
  keys: readonly ClientKey[],
): Promise<StoredClient | undefined> =>
  changeClient(dependencies, clientId, (client) => {
    if (client.revoked_at !== null) throw refused('is revoked, which is for good: create another');
    if (isExpired(client, dependencies.now())) throw refused('has expired: create another');
    if (client.keys === null) throw refused('authenticates by a secret: create another with --jwks');
    return withKeys(client, keys, dependencies.now());
  });

const refused = (message: string) => validationFailed([{ path: '/client', message }]);
