import * as z from 'zod/mini';
import { errorFields } from '../domain/values/problem.ts';
import type { Lane } from '../domain/waiting-work/lane.ts';
import type { PublishBatchService } from '../operations/events/publish.ts';
import { wakeWebhooks } from '../operations/events/wake-webhooks.ts';
import { wake } from '../operations/waiting-work/wake.ts';
import { completionLane } from '../store/events/completion-work.ts';
import { EventBus } from '../store/events/event-bus.ts';
import { failureSender } from '../store/events/event-failures.ts';
import { buses, queues } from './aws.ts';
import { environment, logger, once } from './base.ts';
import { onSetAside } from './completions.ts';
import { journeyService } from './content.ts';
import { service } from './table.ts';
import { onLostWake, targetingQueue, teamQueue, webhookQueue } from './waiting-work.ts';

/** For the function that publishes what changed in the table. */
export const publishService = once((): PublishBatchService => {
  const wakes = {
    ...service(),
    wake: (lane: Lane) => wake({ queue: webhookQueue(), onLostWake }, lane),
  };
  const { EVENT_BUS: bus, EVENT_FAILURE_QUEUE_URL: failureQueue } = environment();
  return {
    ...journeyService(),
    bus: bus === undefined ? undefined : new EventBus(bus, buses()),
    wake: (team_id, before) =>
      wakeWebhooks(wakes, team_id, before).catch((error) =>
        logger().warn('the webhooks of a team could not be woken; the sweep will', {
          team_id,
          ...errorFields(error),
        }),
      ),
    wakeTargeting: (lane) => wake({ queue: targetingQueue(), onLostWake }, lane),
    wakeCompletions: (team_id) => wake({ queue: teamQueue(), onLostWake }, completionLane(team_id)),
    sendFailure: failureSender(z.url().parse(failureQueue), queues()),
    onSetAside,
    onFailure: (error, ids) => logger().error('a change could not be published', { ...ids, ...errorFields(error) }),
  };
});
