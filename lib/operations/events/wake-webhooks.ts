import { isDown, isFailing, waitingWebhook, webhookLane } from '../../domain/events/webhook.ts';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import { type LogHead, logHead, publishedAt } from '../../store/events/event-log.ts';
import { listWebhooks } from '../../store/events/webhooks.ts';
import { together } from '../../store/table/together.ts';
import type { Service } from '../service.ts';
import type { Standing } from '../waiting-work/sweep.ts';

type WakeWebhooksService = Pick<Service, 'database'> & {
  /** Sends a message that there is something to deliver. */
  wake(lane: Lane): Promise<unknown>;
};

/**
 * Wakes the team's webhooks after events were appended to its log. A webhook that had not read the log to its end before
 * is at work, and reads these events too: more messages would fill its queue. A receiver that is down is tried by the
 * sweep.
 * @param before the head of the log before these events
 */
export async function wakeWebhooks(
  { database, wake }: WakeWebhooksService,
  teamId: string,
  before: Pick<LogHead, 'seq'>,
): Promise<void> {
  const webhooks = await listWebhooks(database, teamId);
  const idle = webhooks.filter(({ progress }) => progress.position.seq > before.seq && !isDown(progress));
  await Promise.all(idle.map(({ webhook }) => wake(webhookLane(webhook))));
}

/** Webhooks of a team for which the log is read in parallel. */
const parallel = 10;

/** The webhooks of the team that have something to do: a due attempt, or events whose wake was lost. */
export async function webhooksThatWait(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
): Promise<Standing> {
  const webhooks = await listWebhooks(database, teamId);
  if (webhooks.length === 0) return { lanes: [] };
  const { seq } = await logHead(database, teamId);
  const lanes = await together(webhooks, parallel, async (stored) => {
    const { position } = stored.progress;
    const isRead = position.seq <= seq && !isDown(stored.progress);
    const published = isRead ? await publishedAt(database, teamId, position) : undefined;
    return waitingWebhook(stored, seq, published === undefined ? undefined : Date.parse(published), now());
  });
  const webhooks_failing = webhooks.filter(({ progress }) => isFailing(progress, now())).length;
  return { lanes: lanes.filter((lane) => lane !== undefined), webhooks_failing };
}
