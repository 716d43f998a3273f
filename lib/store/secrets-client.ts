import type {
  DescribeSecretRequest,
  DescribeSecretResponse,
  GetSecretValueRequest,
  GetSecretValueResponse,
  PutSecretValueRequest,
  PutSecretValueResponse,
  UpdateSecretVersionStageRequest,
  UpdateSecretVersionStageResponse,
} from '@aws-sdk/client-secrets-manager';
import { JsonClient } from './json-client.ts';
import { retried } from './retrying.ts';
import type { Access } from './signed-requests.ts';

type Operations = {
  DescribeSecret: [DescribeSecretRequest, DescribeSecretResponse];
  GetSecretValue: [GetSecretValueRequest, GetSecretValueResponse];
  PutSecretValue: [PutSecretValueRequest, PutSecretValueResponse];
  UpdateSecretVersionStage: [UpdateSecretVersionStageRequest, UpdateSecretVersionStageResponse];
};

/** Sends requests to Secrets Manager, with retries. Each of them can be repeated: a new version has an id from its caller. */
export class SecretsClient extends JsonClient<Operations> {
  constructor(access: Access) {
    super({ name: 'secretsmanager', target: 'secretsmanager', version: '1.1' }, access);
  }

  override send<K extends keyof Operations>(operation: K, input: Operations[K][0]): Promise<Operations[K][1]> {
    return retried(() => super.send(operation, input));
  }
}
