import * as z from 'zod/mini';
import { errorFields } from '../domain/values/problem.ts';
import type { PublishBatchService } from '../operations/events/publish-batch.ts';
import { wakeWebhooks } from '../operations/events/wake-webhooks.ts';
import { wakeCompletions } from '../operations/imports/wake.ts';
import { EventBus } from '../store/events/event-bus.ts';
import { failureSender } from '../store/events/event-failures.ts';
import { buses, queues } from './aws.ts';
import { environment, logger, once } from './base.ts';
import { onSetAside } from './completions.ts';
import { journeyService } from './content.ts';
import { importDependencies } from './imports.ts';
import { wakeDependencies } from './webhooks.ts';

/** For the function that publishes what changed in the table. */
export const publishService = once((): PublishBatchService => {
  const { EVENT_BUS: bus, EVENT_FAILURE_QUEUE_URL: failureQueue } = environment();
  return {
    ...journeyService(),
    bus: bus === undefined ? undefined : new EventBus(bus, buses()),
    wake: (team_id, before) =>
      wakeWebhooks(wakeDependencies(), team_id, before).catch((error) =>
        logger().warn('the webhooks of a team could not be woken; the schedule will', {
          team_id,
          ...errorFields(error),
        }),
      ),
    wakeCompletions: (team_id) => wakeCompletions(importDependencies(), team_id),
    sendFailure: failureSender(z.url().parse(failureQueue), queues()),
    onSetAside,
    onFailure: (error, ids) => logger().error('a change could not be published', { ...ids, ...errorFields(error) }),
  };
});
