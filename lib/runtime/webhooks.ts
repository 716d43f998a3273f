import * as z from 'zod/mini';
import { errorFields } from '../domain/values/problem.ts';
import type { DeliveryService } from '../operations/events/deliver-webhook.ts';
import type { WakeDependencies } from '../operations/events/wake-webhooks.ts';
import { postponeMessage } from '../store/aws/queue.ts';
import { webhookWaker } from '../store/events/webhook-queue.ts';
import { publicExcept } from '../webhooks/addresses.ts';
import { webhookSender } from '../webhooks/sender.ts';
import { queues } from './aws.ts';
import { environment, logger, once } from './base.ts';
import { service } from './table.ts';

const queueUrl = once(() => z.url().parse(environment().WEBHOOK_QUEUE_URL));

/** Makes a received wake visible again after this many seconds. */
export const postponeWake = (receiptHandle: string, seconds: number): Promise<void> =>
  postponeMessage(queues(), queueUrl(), receiptHandle, seconds);

/** For the functions that wake webhooks. */
export const wakeDependencies = once(
  () =>
    ({
      database: service().database,
      wake: webhookWaker(queueUrl(), queues()),
      onLostWake: ({ team_id, webhook_id }, error) =>
        logger().warn('a wake could not be sent; the schedule will send another', {
          ...{ team_id, webhook_id },
          ...errorFields(error),
        }),
    }) satisfies WakeDependencies,
);

/** For one invocation of the function that delivers. Call `close` at its end. */
export function deliveryService(): DeliveryService & { close(): void } {
  const { LOCAL_WEBHOOKS, WEBHOOK_DENIED_RANGES } = environment();
  const isAllowed = publicExcept(WEBHOOK_DENIED_RANGES);
  const { send, close } = webhookSender({ allowsLocal: LOCAL_WEBHOOKS === 'allowed', isAllowed });
  return { ...service(), send, close };
}
