import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { deliverWebhook } from '../../lib/operations/events/deliver-webhook.ts';
import { sweepWebhooks, type WebhookSweep } from '../../lib/operations/events/wake-webhooks.ts';
import { logged, logger, metricFields, now } from '../../lib/runtime/base.ts';
import { deliveryService, postponeWake, wakeDependencies } from '../../lib/runtime/webhooks.ts';
import { parseWebhookWake, type WebhookWake } from '../../lib/store/events/webhook-queue.ts';

type Clock = Pick<Context, 'getRemainingTimeInMillis'>;

/** Milliseconds that one attempt and the write of its result take. With less time left, no attempt is begun. */
const reserve = 15_000;
/** Milliseconds after which no attempt is begun either: the webhook goes to the back of the queue, and others follow. */
const turn = 5_000;
/** Seconds: for a longer wait the schedule wakes the webhook, a shorter one is waited for in steps, so that events that come meanwhile wait for one step at most. */
const waits = { longest: 60, step: 5 };
/** The schedule goes on after this number of steps. */
const maxSteps = 20;

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
  return { batchItemFailures: (await deliver(record, message, clock)) ? [] : [failureOf(record)] };
}

const failureOf = ({ messageId }: SQSRecord) => ({ itemIdentifier: messageId });

/** @returns true if the message is done with */
async function deliver(record: SQSRecord, { team_id, webhook_id }: WebhookWake, clock: Clock): Promise<boolean> {
  const ids = { team_id, webhook_id };
  const lane = record.attributes.MessageGroupId;
  const { close, ...service } = deliveryService();
  const end = now() + turn;
  try {
    const hasTime = () => now() < end && clock.getRemainingTimeInMillis() > reserve;
    const report = await deliverWebhook(service, { ...ids, lane }, hasTime);
    logger().info('a webhook was delivered', { ...ids, ...report });
    const { outcome, next_at } = report;
    if (outcome === 'gone') logger().warn('a receiver removed its webhook (410)', ids);
    const wait = next_at === null ? Number.POSITIVE_INFINITY : Math.ceil((Date.parse(next_at) - now()) / 1000);
    const isSoon = wait > 0 && wait <= waits.longest;
    const step = () => postponeWake(record.receiptHandle, Math.min(wait, waits.step));
    const steps = Number(record.attributes.ApproximateReceiveCount);
    const isOwnLane = lane === webhook_id;
    if (outcome === 'caught_up' && isSoon && isOwnLane && steps <= maxSteps) {
      await step();
      return false;
    }
    // A lane of slow webhooks is not held up: their waits are in their own lanes, before they come here again.
    if (outcome === 'caught_up' && isSoon && !isOwnLane) await wakeDependencies().wake(ids);
    if (outcome === 'more' && isOwnLane && report.lane !== lane && isSoon && steps === 1) {
      await step();
      return false;
    }
    if (outcome === 'more') await wakeDependencies().wake(ids, report.lane);
    return true;
  } catch (error) {
    logger().error('a webhook could not be delivered', { ...ids, ...errorFields(error) });
    await tryAgain(record);
    return false;
  } finally {
    close();
  }
}

/**
 * While the message is invisible, tests and events of this webhook wait. So a failure is repeated soon, and repeated ones
 * after the visibility timeout, or an outage would fill the dead-letter queue.
 */
async function tryAgain({ receiptHandle, attributes }: SQSRecord): Promise<void> {
  const seconds = waits.step * 2 ** (Number(attributes.ApproximateReceiveCount) - 1);
  if (seconds > waits.longest) return;
  await postponeWake(receiptHandle, seconds).catch((error) => {
    logger().warn('a message could not be postponed; it is repeated after its visibility timeout', errorFields(error));
  });
}

async function sweep(): Promise<WebhookSweep> {
  const run = () => sweepWebhooks({ ...wakeDependencies(), now });
  const report = await logged('the webhooks could not be swept', {}, run);
  const { failing, oldest_seconds, ...counts } = report;
  const measured = { webhooks_failing: failing, oldest_webhook_event: oldest_seconds };
  logger().info('the webhooks were swept', {
    ...counts,
    ...metricFields([{ function: 'webhook-delivery' }], measured),
  });
  return report;
}
