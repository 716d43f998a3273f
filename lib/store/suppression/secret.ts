import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { StoreUnavailable } from '../table/database.ts';
import { failWith } from '../table/errors.ts';

/**
 * The secret that seals links and hashes addresses: 32 random bytes in base64url.
 * @param location ARN of a secret, or a `file:` URL for the local service
 */
export async function readMessagesSecret(location: string, secrets: () => SecretsManagerClient): Promise<string> {
  const failed = failWith('the secret of messages could not be read');
  const text = location.startsWith('file:')
    ? await readFile(fileURLToPath(location), 'utf8').catch(failed)
    : (
        await secrets()
          .send(new GetSecretValueCommand({ SecretId: location }))
          .catch(failed)
      ).SecretString;
  const secret = text?.trim() ?? '';
  if (Buffer.from(secret, 'base64url').length < 32) throw new StoreUnavailable('the secret of messages is not set');
  return secret;
}
