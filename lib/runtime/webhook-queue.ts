import * as z from 'zod/mini';
import { errorFields } from '../domain/error-fields.ts';
import type { WakeDependencies } from '../operations/events/wake-webhooks.ts';
import { webhookWaker } from '../store/webhook-queue.ts';
import { queues } from './aws.ts';
import { environment, logger, once } from './base.ts';
import { runtime } from './table.ts';

/** For the functions that wake webhooks. */
export const wakeDependencies = once(
  (): WakeDependencies => ({
    database: runtime().database,
    wake: webhookWaker(z.url().parse(environment().WEBHOOK_QUEUE_URL), queues()),
    onLostWake: ({ team_id, webhook_id }, error) =>
      logger().warn('a wake could not be sent; the schedule will send another', {
        ...{ team_id, webhook_id },
        ...errorFields(error),
      }),
  }),
);
