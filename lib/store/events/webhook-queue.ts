import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { Webhook } from '../../domain/events/webhook.ts';
import { messageReader, sendWake } from '../aws/queue.ts';

/** The message of the webhook queue: there is something to deliver for this webhook. It can be lost, doubled or late. */
const wakeSchema = z.object({ team_id: z.string(), webhook_id: z.string() });
export type WebhookWake = z.output<typeof wakeSchema>;

export const parseWebhookWake: (body: string) => WebhookWake | undefined = messageReader(wakeSchema);

/**
 * FIFO, with a message group for each lane: one function at a time delivers to a receiver. A wake goes to the lane of the
 * webhook alone; the function passes it on if the receiver is slow.
 * @param milliseconds how long a wake may take
 */
export const webhookWaker =
  (queueUrl: string, client: SQSClient, milliseconds?: number) =>
  ({ team_id, webhook_id }: Pick<Webhook, 'team_id' | 'webhook_id'>, lane = webhook_id): Promise<void> =>
    sendWake(client, queueUrl, lane, { team_id, webhook_id } satisfies WebhookWake, milliseconds);
