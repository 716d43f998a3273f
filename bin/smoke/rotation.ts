import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeSecretCommand, RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { longRequests } from '../../lib/store/connections.ts';

/** Seconds that Secrets Manager may take for the four steps. */
const rotationSeconds = 120;

/** Rotates the signing keys with the deployed function, and waits until the new key is the current one. */
export const rotationOf = (secretArn: string) => async (): Promise<void> => {
  const client = new SecretsManagerClient({ requestHandler: longRequests });
  const { VersionId: version } = await client.send(new RotateSecretCommand({ SecretId: secretArn }));
  for (const end = Date.now() + rotationSeconds * 1000; Date.now() < end; await sleep(1000)) {
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId: secretArn }));
    if (version !== undefined && VersionIdsToStages[version]?.includes('AWSCURRENT')) return;
  }
  throw new Error(`the rotation did not end in ${rotationSeconds} seconds`);
};
