import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../../lib/domain/problem.ts';
import { deliverWebhook } from '../../lib/operations/events/deliver-webhook.ts';
import { sweepWebhooks, type WebhookSweep } from '../../lib/operations/events/wake-webhooks.ts';
import { logged, logger, metricFields, now } from '../../lib/runtime/base.ts';
import { deliveryDependencies, wakeDependencies } from '../../lib/runtime/webhooks.ts';
import { parseWebhookWake, type WebhookWake } from '../../lib/store/webhook-queue.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that one attempt and the write of its result take. With less time left, no attempt is begun. */
const reserve = 15_000;

/** A message of the queue delivers the events of its webhook. The schedule wakes webhooks that have something to do. */
export async function handler(
  event: SQSEvent | { Records?: never },
  clock: Clock,
): Promise<SQSBatchResponse | WebhookSweep> {
  if (event.Records === undefined) return sweep();
  const [record] = event.Records;
  const message = record && parseWebhookWake(record.body);
  if (!record || !message) {
    logger().error('a message that names no webhook was discarded', { messageId: record?.messageId });
    return { batchItemFailures: [] };
  }
  return { batchItemFailures: (await deliver(message, clock)) ? [] : [failureOf(record)] };
}

const failureOf = ({ messageId }: SQSRecord) => ({ itemIdentifier: messageId });

async function deliver({ team_id, webhook_id }: WebhookWake, clock: Clock): Promise<boolean> {
  const ids = { team_id, webhook_id };
  const { close, ...dependencies } = deliveryDependencies();
  try {
    const hasTime = () => clock.getRemainingTimeInMillis() > reserve;
    const report = await deliverWebhook(dependencies, team_id, webhook_id, hasTime);
    const { outcome } = report;
    logger().info('a webhook was delivered', { ...ids, ...report });
    if (outcome === 'gone') logger().warn('a receiver removed its webhook (410)', ids);
    if (outcome === 'more') await wakeDependencies().wake(ids);
    return true;
  } catch (error) {
    logger().error('a webhook could not be delivered', { ...ids, ...errorFields(error) });
    return false;
  } finally {
    close();
  }
}

async function sweep(): Promise<WebhookSweep> {
  const run = () => sweepWebhooks({ ...wakeDependencies(), now });
  const report = await logged('the webhooks could not be swept', {}, run);
  const { failing, ...counts } = report;
  logger().info('the webhooks were swept', {
    ...counts,
    ...metricFields([{ function: 'webhook-delivery' }], { webhooks_failing: failing }),
  });
  return report;
}
