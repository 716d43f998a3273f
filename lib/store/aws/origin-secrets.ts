import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { failWith } from '../table/errors.ts';

/** The secrets that CloudFront may send with a request to the API. */
export interface OriginSecrets {
  /** @throws StoreUnavailable */
  read(): Promise<string[]>;
}

/** @param arns one secret of AWS Secrets Manager each */
export function originSecretsAt(arns: readonly string[], client: SecretsManagerClient): OriginSecrets {
  const secretAt = async (arn: string): Promise<string> => {
    const current = new GetSecretValueCommand({ SecretId: arn, VersionStage: 'AWSCURRENT' });
    const { SecretString } = await client.send(current);
    if (!SecretString) throw new Error('a secret of the origin is empty');
    return SecretString;
  };
  return {
    read: () => Promise.all(arns.map(secretAt)).catch(failWith('the secrets of the origin could not be read')),
  };
}
