import type { SecretsManagerRotationEvent } from 'aws-lambda';
import { newKeyPair } from '../../lib/auth/tokens.ts';
import { rotateSigningKey } from '../../lib/operations/access/rotate-signing-key.ts';
import { secrets } from '../../lib/runtime/aws.ts';
import { environment, logged } from '../../lib/runtime/base.ts';
import { service } from '../../lib/runtime/table.ts';
import { privateKeysAt } from '../../lib/store/access/private-keys.ts';

/**
 * Secrets Manager calls this once for each step of a rotation, and again if a step failed. Two of the four steps do
 * nothing: no other system needs the key (`setSecret`), and a test of the key (`testSecret`) would have to read a
 * secret that only the token function may read.
 */
export const handler = (event: SecretsManagerRotationEvent): Promise<void> =>
  logged('a rotation of the signing key failed', { step: event.Step, rotation_id: event.ClientRequestToken }, () =>
    rotate(event),
  );

async function rotate({ SecretId, ClientRequestToken, Step }: SecretsManagerRotationEvent): Promise<void> {
  const { database, now } = service();
  const privateKeys = privateKeysAt(SecretId, secrets);
  const keep = privateKeys.keep.bind(privateKeys);
  const tokenLifetimeSeconds = environment().TOKEN_LIFETIME_SECONDS;
  if (Step === 'createSecret') {
    await rotateSigningKey({ database, now, newKeyPair, keep, tokenLifetimeSeconds }, ClientRequestToken);
  }
  if (Step === 'finishSecret') await privateKeys.promote(ClientRequestToken);
}
