import { errorFields } from '../../lib/domain/values/problem.ts';
import { deliverWebhook, endOfDelivery } from '../../lib/operations/events/deliver-webhook.ts';
import { logger, now } from '../../lib/runtime/base.ts';
import { type LaneWorker, laneHandler } from '../../lib/runtime/lane-worker.ts';
import { webhookQueue } from '../../lib/runtime/waiting-work.ts';
import { deliveryService } from '../../lib/runtime/webhooks.ts';

const webhooks: LaneWorker = {
  // One attempt and the write of its result.
  reserve: 15_000,
  // Then the webhook goes to the back of the queue, and others follow.
  longest: 5_000,
  begin(turn) {
    const { team_id, id: webhook_id = '' } = turn.lane;
    const ids = { team_id, webhook_id };
    return {
      work: async () => {
        const { close, ...service } = deliveryService();
        try {
          const report = await deliverWebhook(service, { ...ids, group: turn.group }, turn.hasTime);
          logger().info('a webhook was delivered', { ...ids, ...report });
          if (report.outcome === 'gone') logger().warn('a receiver removed its webhook (410)', ids);
          return endOfDelivery(report, turn, now());
        } finally {
          close();
        }
      },
      onFailure: (error) => logger().error('a webhook could not be delivered', { ...ids, ...errorFields(error) }),
    };
  },
};

/** Delivers the events of a webhook. */
export const handler = laneHandler(webhookQueue, { webhooks });
