import { hashSecret } from '../auth/secrets.ts';
import { isExpired, withNewSecret } from '../domain/client.ts';
import { validationFailed } from '../domain/problem.ts';
import { type ChangeClientDependencies, changeClient } from './change-client.ts';
import type { IssuedCredential } from './create-client.ts';

/**
 * A new secret for the client; the one before it is accepted for `secretOverlap` more, older ones no longer.
 * `undefined` when there is no such client.
 * @throws Problem `validation_failed` when it is revoked or expired, or authenticates by keys.
 */
export async function rotateClient(
  dependencies: ChangeClientDependencies & { newSecret(): string },
  clientId: string,
): Promise<IssuedCredential | undefined> {
  const { now, newSecret } = dependencies;
  const secret = newSecret();
  const client = await changeClient(dependencies, clientId, (current) => {
    if (current.revoked_at !== null) throw refused('is revoked, which is for good: create another');
    if (isExpired(current, now())) throw refused('has expired: create another');
    if (current.keys !== null) throw refused('has keys and no secret: replace its keys with client set-keys');
    return withNewSecret(current, hashSecret(secret), now());
  });
  return client && { client_id: client.client_id, client_secret: secret, team_id: client.team_id };
}

const refused = (message: string) => validationFailed([{ path: '/client', message }]);
