import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Problem } from '../domain/problem.ts';

/** What the import queue carries: the name of a claim. The records lie in the table. */
const handOverSchema = z.object({
  team_id: z.string(),
  batch_id: z.string(),
  claim: z.string(),
  payload_id: z.string(),
  /** Attempts that the claim had counted when it was handed over; the limit counts from there. */
  attempts: z.number(),
});
export type HandOver = z.output<typeof handOverSchema>;

/** The message, or `undefined` when the text is none of ours. */
export function parseHandOver(body: string): HandOver | undefined {
  try {
    return handOverSchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** JSON in ASCII: SQS refuses a message with U+FFFF or U+FFFE, and a batch may be called so. */
export const asciiJson = (message: object): string =>
  JSON.stringify(message).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export interface ImportQueue {
  /** @param deduplicationId within five minutes, a second message of the same id is swallowed by the queue. */
  send(message: HandOver, deduplicationId: string): Promise<void>;
  /** Makes a received message visible again in so many seconds. */
  postpone(receiptHandle: string, seconds: number): Promise<void>;
}

export class SqsImportQueue implements ImportQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(url: string, client = new SQSClient({})) {
    this.#client = client;
    this.#url = url;
  }

  async send(message: HandOver, deduplicationId: string): Promise<void> {
    try {
      await this.#client.send(
        new SendMessageCommand({
          QueueUrl: this.#url,
          MessageBody: asciiJson(message),
          MessageGroupId: message.team_id,
          MessageDeduplicationId: deduplicationId,
        }),
      );
    } catch (cause) {
      throw new Problem('unavailable', undefined, { cause });
    }
  }

  postpone(receiptHandle: string, seconds: number): Promise<void> {
    return postponeMessage(this.#client, this.#url, receiptHandle, seconds);
  }
}

/** Makes a received message visible again in so many seconds; until then those behind it in its group wait. */
export async function postponeMessage(
  client: SQSClient,
  queueUrl: string,
  receiptHandle: string,
  seconds: number,
): Promise<void> {
  const command = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
  await client.send(new ChangeMessageVisibilityCommand(command));
}
