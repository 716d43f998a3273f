import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { failWith } from '../table/errors.ts';

/**
 * The message of the import queue: this team has open chunks, or work on completions. The work itself is in the table, so
 * a message may be lost, duplicated or late. `request_id` is the request that accepted a chunk, for the log.
 */
const wakeSchema = z.object({
  team_id: z.string(),
  request_id: z.optional(z.string()),
  work: z.optional(z.literal('completions')),
});
export type Wake = z.output<typeof wakeSchema>;

export const parseWake: (body: string) => Wake | undefined = messageReader(wakeSchema);

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

export interface ImportQueue {
  /** Tells the workers that the team has open chunks, or work of this kind. @throws StoreUnavailable, or another error, within about a second. */
  wake(teamId: string, requestId?: string, work?: Wake['work']): Promise<void>;
  /** Makes a received message visible again after this many seconds. */
  postpone(receiptHandle: string, seconds: number): Promise<void>;
}

/**
 * Milliseconds that a wake may take. The request that accepts a chunk waits for it; the sweeper replaces a lost wake.
 */
const wakeTimeout = 1000;

export class SqsImportQueue implements ImportQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(url: string, client: SQSClient) {
    this.#client = client;
    this.#url = url;
  }

  /** Work on completions has a message group of its own. */
  wake(team_id: string, request_id?: string, work?: Wake['work']): Promise<void> {
    const group = work === undefined ? team_id : `${team_id}#${work}`;
    return sendWake(this.#client, this.#url, group, { team_id, request_id, work } satisfies Wake);
  }

  postpone(receiptHandle: string, seconds: number): Promise<void> {
    return postponeMessage(this.#client, this.#url, receiptHandle, seconds);
  }
}

/**
 * Sends a message that says only that there is work. Messages of a group are received one after another.
 * @param milliseconds how long it may take
 */
export async function sendWake(
  client: SQSClient,
  queueUrl: string,
  group: string,
  message: object,
  milliseconds = wakeTimeout,
): Promise<void> {
  const input = {
    QueueUrl: queueUrl,
    MessageBody: asciiJson(message),
    MessageGroupId: group,
    // No wake may be deduplicated: the one that the queue drops could be the one that is needed.
    MessageDeduplicationId: crypto.randomUUID(),
  };
  const sent = client.send(new SendMessageCommand(input), { abortSignal: AbortSignal.timeout(milliseconds) });
  await sent.catch(failWith('a wake could not be sent to the queue'));
}

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
