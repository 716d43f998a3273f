import type { ChangeMessageVisibilityRequest, SendMessageRequest, SendMessageResult } from '@aws-sdk/client-sqs';
import { failureOf } from './errors.ts';
import { JsonClient } from './json-client.ts';
import { retried } from './retrying.ts';
import type { Access, SendOptions } from './signed-requests.ts';

type Operations = {
  SendMessage: [SendMessageRequest, SendMessageResult];
  ChangeMessageVisibility: [ChangeMessageVisibilityRequest, object];
};

/** Sends requests to SQS, once each. */
export class QueueClient extends JsonClient<Operations> {
  /** @param access the endpoint is that of the queue's URL */
  constructor(queueUrl: string, access: Omit<Access, 'endpoint'>) {
    super({ name: 'sqs', target: 'AmazonSQS', version: '1.0' }, { ...access, endpoint: new URL(queueUrl).origin });
  }
}

/** @param reason text for the log, if the message cannot be sent */
export async function sendMessage(
  client: QueueClient,
  message: SendMessageRequest,
  reason: string,
  options?: SendOptions,
): Promise<void> {
  try {
    await retried(() => client.send('SendMessage', message, options), options?.abortSignal);
  } catch (cause) {
    throw failureOf(cause, reason);
  }
}

/** Makes a received message visible again after this many seconds. Until then, later messages of its group wait. */
export async function postponeMessage(
  client: QueueClient,
  queueUrl: string,
  receiptHandle: string,
  seconds: number,
): Promise<void> {
  const input = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
  try {
    await retried(() => client.send('ChangeMessageVisibility', input));
  } catch (cause) {
    throw failureOf(cause, 'a message of the queue could not be postponed');
  }
}
