/**
 * The credentials that Lambda sets as environment variables. They are read here and not with the package of the SDK,
 * which also loads everything that reads configuration files.
 * @throws CredentialsProviderError if they are not set
 */
export async function environmentCredentials() {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    const message = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set';
    throw Object.assign(new Error(message), { name: 'CredentialsProviderError' });
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** Replaces the SDK's chain of credential providers in the bundles. Its other providers are 143 KB. */
export const defaultProvider = () => environmentCredentials;
