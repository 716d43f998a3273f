import type { Access } from '../store/signed-requests.ts';
import { environment } from './base.ts';

/** How to reach a service of AWS: with the region and the credentials that Lambda sets. The URL of a queue has its host. */
export function access(service?: 'DYNAMODB' | 'S3' | 'SECRETS_MANAGER'): Access {
  const variables = environment();
  const endpoint = service && (variables[`AWS_ENDPOINT_URL_${service}`] ?? variables.AWS_ENDPOINT_URL);
  return { region: variables.AWS_REGION, credentials, endpoint };
}

/**
 * The credentials that Lambda sets as environment variables. The SDK's package for them would also load everything that
 * reads configuration files.
 */
export async function credentials() {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment();
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    const message = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set';
    throw Object.assign(new Error(message), { name: 'CredentialsProviderError' });
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  };
}
