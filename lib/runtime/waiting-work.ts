import * as z from 'zod/mini';
import { errorFields } from '../domain/values/problem.ts';
import type { KindOfWork, Lane } from '../domain/waiting-work/lane.ts';
import { SqsWakeQueue } from '../store/waiting-work/wake-queue.ts';
import { queues } from './aws.ts';
import { environment, logger, once } from './base.ts';

/** The queue that wakes the imports and the completions of teams. */
export const teamQueue = /* @__PURE__ */ once(() => new SqsWakeQueue(z.url().parse(environment().QUEUE_URL), queues()));

/** The queue that wakes webhooks. */
export const webhookQueue = /* @__PURE__ */ once(
  () => new SqsWakeQueue(z.url().parse(environment().WEBHOOK_QUEUE_URL), queues()),
);

/** The queue that wakes the lanes of targeting. */
export const targetingQueue = /* @__PURE__ */ once(
  () => new SqsWakeQueue(z.url().parse(environment().TARGETING_QUEUE_URL), queues()),
);

/** The queue that wakes the lanes of messages; `undefined` if no messages are sent. */
export const messageQueue = /* @__PURE__ */ once(() => {
  const { MESSAGE_QUEUE_URL: url } = environment();
  return url === undefined ? undefined : new SqsWakeQueue(url, queues());
});

export const queuesOfLanes = (): Record<KindOfWork, SqsWakeQueue> => ({
  // Without messages, none of their lanes holds work.
  messages: messageQueue() ?? teamQueue(),
  ...{ imports: teamQueue(), completions: teamQueue(), webhooks: webhookQueue() },
  ...{ targeting: targetingQueue(), walks: targetingQueue() },
});

export const onLostWake = (lane: Lane, error: unknown): void =>
  logger().warn('a wake could not be sent; the sweep will send another', { ...lane, ...errorFields(error) });
