import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces the SDK's chain of credential providers in the bundles. Lambda sets the credentials of a function as
 * environment variables; the other providers of the chain are 143 KB.
 */
export const defaultProvider = fromEnv;
