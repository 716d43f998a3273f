import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
import { failWith } from '../table/errors.ts';

/** Reads the messages of a queue: `undefined` if the text is not one of them. */
export function messageReader<T>(schema: z.ZodMiniType<T>): (body: string) => T | undefined {
  return (body) => {
    try {
      return schema.parse(JSON.parse(body));
    } catch {
      return undefined;
    }
  };
}

/**
 * JSON in ASCII: SQS rejects a message with U+FFFF or U+FFFE, and names that callers choose can have these characters.
 */
export const asciiJson = (message: object): string =>
  JSON.stringify(message).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Makes a received message visible again after this many seconds. Until then, later messages of its group wait. */
export async function postponeMessage(
  client: SQSClient,
  queueUrl: string,
  receiptHandle: string,
  seconds: number,
): Promise<void> {
  const input = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
  const sent = client.send(new ChangeMessageVisibilityCommand(input));
  await sent.catch(failWith('a message of the queue could not be postponed'));
}
