import { fromEnv } from '@aws-sdk/credential-provider-env';
import { bucketClient, busClient, queueClient, secretsClient } from '../store/aws/aws-clients.ts';
import { once } from './base.ts';

/**
 * The clients of a function, each created when it is first used. Lambda sets the credentials as environment variables, so
 * the bundles contain none of the SDK's other sources of credentials.
 */
export const credentials = fromEnv();

export const queues = /* @__PURE__ */ once(() => queueClient({ credentials }));
export const secrets = /* @__PURE__ */ once(() => secretsClient({ credentials }));
export const buses = /* @__PURE__ */ once(() => busClient({ credentials }));
export const buckets = /* @__PURE__ */ once(() => bucketClient({ credentials }));
