import { hashSecret } from '../../../lib/auth/secrets.ts';
import { isExpired, withNewSecret } from '../../../lib/domain/client.ts';
import { validationFailed } from '../../../lib/domain/problem.ts';
import { changeClient } from '../../../lib/operations/clients.ts';
import type { Service } from '../../../lib/operations/service.ts';
import type { IssuedCredential } from './create-client.ts';

/**
 * Gives the client a new secret. The previous secret stays valid for `secretOverlap`; older ones are no longer valid.
 * `undefined` if there is no such client.
 * @throws Problem `validation_failed` if the client is revoked or expired, or authenticates with keys.
 */
export async function rotateClient(
  dependencies: Pick<Service, 'database' | 'now' | 'pause' | 'newSecret'>,
  clientId: string,
): Promise<IssuedCredential | undefined> {
  const { now, newSecret } = dependencies;
  const secret = newSecret();
  const hash = hashSecret(secret);
  const client = await changeClient(dependencies, clientId, (current) => {
    if (current.revoked_at !== null) throw invalidClient('is permanently revoked: create another client');
    if (isExpired(current, now())) throw invalidClient('has expired: create another client');
    if (current.keys !== null)
      throw invalidClient('has keys instead of a secret: replace its keys with client set-keys');
    // An earlier round of this call wrote it, and the response was lost. A second time, it would replace the old secret.
    if (current.secrets.some((each) => each.hash === hash)) return current;
    return withNewSecret(current, hash, now());
  });
  return client && { client_id: client.client_id, client_secret: secret, team_id: client.team_id };
}

const invalidClient = (message: string) => validationFailed([{ path: '/client', message }]);
