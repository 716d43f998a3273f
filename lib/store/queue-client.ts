import type { ChangeMessageVisibilityRequest, SendMessageRequest, SendMessageResult } from '@aws-sdk/client-sqs';
import { JsonClient } from './json-client.ts';
import { retried } from './retrying.ts';
import type { Access, SendOptions } from './signed-requests.ts';

type Operations = {
  SendMessage: [SendMessageRequest, SendMessageResult];
  ChangeMessageVisibility: [ChangeMessageVisibilityRequest, object];
};

/** Sends requests to SQS, with retries. A message is the same at each attempt, so a FIFO queue gets it once. */
export class QueueClient extends JsonClient<Operations> {
  /** @param access the endpoint is that of the queue's URL */
  constructor(queueUrl: string, access: Omit<Access, 'endpoint'>) {
    super(
      { name: 'sqs', target: 'AmazonSQS', version: '1.0', withoutResult: ['ChangeMessageVisibility'] },
      { ...access, endpoint: new URL(queueUrl).origin },
    );
  }

  override send<K extends keyof Operations>(
    operation: K,
    input: Operations[K][0],
    options?: SendOptions,
  ): Promise<Operations[K][1]> {
    return retried(() => super.send(operation, input, options), options?.abortSignal);
  }
}
