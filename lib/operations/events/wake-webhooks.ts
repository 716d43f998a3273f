import { isDown, isPaused, type Webhook } from '../../domain/events/webhook.ts';
import { type LogHead, logHead, publishedAt } from '../../store/events/event-log.ts';
import { listAllWebhooks, listWebhooks, type StoredWebhook } from '../../store/events/webhooks.ts';
import type { Database } from '../../store/table/database.ts';

export type WakeDependencies = {
  database: Database;
  /** Sends a message that there is something to deliver for this webhook. */
  wake(webhook: Pick<Webhook, 'team_id' | 'webhook_id'>): Promise<void>;
  /** Called if a wake could not be sent. The schedule sends another one. */
  onLostWake(webhook: Webhook, error: unknown): void;
};

/**
 * Wakes the team's webhooks after events were appended to its log. A webhook that had not read the log to its end before
 * is at work, and reads these events too: more messages would fill its queue. A receiver that is down is tried by the
 * schedule.
 * @param before the head of the log before these events
 */
export async function wakeWebhooks(
  dependencies: WakeDependencies,
  teamId: string,
  before: Pick<LogHead, 'seq'>,
): Promise<void> {
  const webhooks = await listWebhooks(dependencies.database, teamId);
  const idle = webhooks.filter(({ progress }) => progress.position.seq > before.seq && !isDown(progress));
  await Promise.all(idle.map((each) => wake(dependencies, each)));
}

async function wake({ wake: send, onLostWake }: WakeDependencies, { webhook }: StoredWebhook): Promise<boolean> {
  try {
    await send(webhook);
    return true;
  } catch (error) {
    onLostWake(webhook, error);
    return false;
  }
}

export type WebhookSweep = {
  /** Number of webhooks, of those that were woken, and of those whose wake could not be sent. */
  webhooks: number;
  woken: number;
  not_woken: number;
  /** Number of webhooks whose receiver has been down for an hour. */
  failing: number;
  /** Seconds since the oldest event was published that a webhook with an ordinary receiver has not tried to send. */
  oldest_seconds: number;
};

/** Wakes the webhooks of all teams that have something to do: a due attempt, or events whose wake was lost. */
export async function sweepWebhooks(dependencies: WakeDependencies & { now(): number }): Promise<WebhookSweep> {
  const { database, now } = dependencies;
  const webhooks = await listAllWebhooks(database);
  const teams = [...new Set(webhooks.map(({ webhook }) => webhook.team_id))];
  const heads = new Map(await Promise.all(teams.map(async (team) => [team, await logHead(database, team)] as const)));
  const isBehind = ({ webhook, progress }: StoredWebhook) =>
    !isPaused(progress, now()) && progress.position.seq <= heads.get(webhook.team_id)!.seq;
  const late = webhooks.filter((each) => {
    const { next_at } = each.progress;
    const isDue = next_at !== null && Date.parse(next_at) <= now();
    return (isDue || (!isDown(each.progress) && isBehind(each))) && !isAtWork(each.progress, now());
  });
  const ordinary = webhooks.filter((each) => each.progress.failing_since === null && !each.progress.is_slow);
  const ages = await Promise.all(
    ordinary.filter(isBehind).map(async ({ webhook, progress }) => {
      const time = await publishedAt(database, webhook.team_id, progress.position);
      return time === undefined ? 0 : Math.round((now() - Date.parse(time)) / 1000);
    }),
  );
  const sent = await Promise.all(late.map((each) => wake(dependencies, each)));
  const woken = sent.filter(Boolean).length;
  const failing = webhooks.filter(({ progress }) => isFailing(progress, now())).length;
  const oldest_seconds = ages.reduce((oldest, age) => Math.max(oldest, age), 0);
  return { webhooks: webhooks.length, woken, not_woken: sent.length - woken, failing, oldest_seconds };
}

/** A webhook in a lane of slow ones waits for its next turn. More messages would only fill the lane. */
const isAtWork = ({ is_slow, last_attempt }: StoredWebhook['progress'], now: number): boolean =>
  is_slow && last_attempt !== null && now - Date.parse(last_attempt.at) < 120_000;

const isFailing = ({ failing_since }: StoredWebhook['progress'], now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= 3_600_000;
