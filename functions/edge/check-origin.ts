import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerResult } from 'aws-lambda';
import { hashSecret, isSecretOf } from '../../lib/auth/secrets.ts';
import { secrets } from '../../lib/runtime/aws.ts';
import { environment, logged, once } from '../../lib/runtime/base.ts';
import { originSecretsAt } from '../../lib/store/aws/origin-secrets.ts';

const source = once(() => originSecretsAt(environment().ORIGIN_SECRETS, secrets()));
let hashes: string[] | undefined;

/**
 * Authorizer of all routes if the API is behind CloudFront. It accepts requests whose header has a secret that only
 * CloudFront knows. API Gateway rejects a request without the header itself and caches the result for a header value.
 */
export const handler = (event: APIGatewayRequestAuthorizerEventV2): Promise<APIGatewaySimpleAuthorizerResult> =>
  logged('the secrets of the origin could not be read', {}, async () => {
    hashes ??= (await source().read()).map(hashSecret);
    return { isAuthorized: isSecretOf(hashes, event.identitySource?.[0] ?? '') };
  });
