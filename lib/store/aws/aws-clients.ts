import { EventBridgeClient, type EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { objectRequests, shortRequests } from './connections.ts';

/**
 * The SDK's clients. What is not given, they find in the environment, as every AWS SDK does: the region, credentials,
 * endpoints, FIPS. They retry. `table-client.ts` has the client of DynamoDB, because its package is loaded as a whole.
 */

/** A message is the same at each attempt, so a FIFO queue gets it once. The URL of a queue never has a FIPS host. */
export const queueClient = (config: SQSClientConfig = {}): SQSClient =>
  new SQSClient({ requestHandler: shortRequests, useQueueUrlAsEndpoint: false, ...config });

export const secretsClient = (config: SecretsManagerClientConfig = {}): SecretsManagerClient =>
  new SecretsManagerClient({ requestHandler: shortRequests, ...config });

/** Sends each request once: `event-bus.ts` retries, also the events that EventBridge left undone. */
export const busClient = (config: EventBridgeClientConfig = {}): EventBridgeClient =>
  new EventBridgeClient({ requestHandler: shortRequests, maxAttempts: 1, ...config });

/** The SDK does not send a stream again. */
export const bucketClient = (config: S3ClientConfig = {}): S3Client =>
  new S3Client({ requestHandler: objectRequests, ...config });
