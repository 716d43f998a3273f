import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { groupOf, kindsOfWork, type Lane } from '../../domain/waiting-work/lane.ts';
import { asciiJson, messageReader, postponeMessage } from '../aws/queue.ts';
import { failWith } from '../table/errors.ts';

/** The message: this lane holds work. `request_id` is the request that stored the work, for the log. */
const wakeSchema = z.object({
  work: z.enum(kindsOfWork),
  team_id: z.string(),
  id: z.optional(z.string()),
  request_id: z.optional(z.string()),
});
export type Wake = z.output<typeof wakeSchema>;

export const parseWake: (body: string) => Wake | undefined = messageReader(wakeSchema);

export type WakeOptions = { requestId?: string | undefined; group?: string | undefined };

export interface WakeQueue {
  /**
   * Tells the worker of the lane that there is work.
   * @param options.group the message group, by default that of the lane
   * @throws StoreUnavailable, or another error, within about a second
   */
  wake(lane: Lane, options?: WakeOptions): Promise<void>;
  /** Makes a received message visible again after this many seconds. Until then, later messages of its group wait. */
  postpone(receiptHandle: string, seconds: number): Promise<void>;
}

/** Milliseconds that a wake may take. A request waits for it; the sweep replaces a lost wake. */
const wakeTimeout = 1000;

export class SqsWakeQueue implements WakeQueue {
  readonly #client: SQSClient;
  readonly #url: string;
  readonly #milliseconds: number;

  /** @param milliseconds how long a wake may take */
  constructor(url: string, client: SQSClient, milliseconds = wakeTimeout) {
    this.#client = client;
    this.#url = url;
    this.#milliseconds = milliseconds;
  }

  async wake(lane: Lane, { requestId: request_id, group = groupOf(lane) }: WakeOptions = {}): Promise<void> {
    const input = {
      QueueUrl: this.#url,
      MessageBody: asciiJson({ ...lane, request_id } satisfies Wake),
      MessageGroupId: group,
      // No wake may be deduplicated: the one that the queue drops could be the one that is needed.
      MessageDeduplicationId: crypto.randomUUID(),
    };
    const options = { abortSignal: AbortSignal.timeout(this.#milliseconds) };
    const sent = this.#client.send(new SendMessageCommand(input), options);
    await sent.catch(failWith('a wake could not be sent to the queue'));
  }

  postpone(receiptHandle: string, seconds: number): Promise<void> {
    return postponeMessage(this.#client, this.#url, receiptHandle, seconds);
  }
}
