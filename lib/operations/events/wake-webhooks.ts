import { isDown, type Webhook } from '../../domain/webhook.ts';
import type { Database } from '../../store/database.ts';
import { type LogHead, logHead } from '../../store/event-log.ts';
import { listAllWebhooks, listWebhooks, type StoredWebhook } from '../../store/webhooks.ts';

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
};

/** Wakes the webhooks of all teams that have something to do: a due attempt, or events whose wake was lost. */
export async function sweepWebhooks(dependencies: WakeDependencies & { now(): number }): Promise<WebhookSweep> {
  const { database, now } = dependencies;
  const webhooks = await listAllWebhooks(database);
  const teams = [...new Set(webhooks.map(({ webhook }) => webhook.team_id))];
  const heads = new Map(await Promise.all(teams.map(async (team) => [team, await logHead(database, team)] as const)));
  const late = webhooks.filter(({ webhook, progress }) => {
    const { next_at, position } = progress;
    const isDue = next_at !== null && Date.parse(next_at) <= now();
    return isDue || (!isDown(progress) && position.seq <= heads.get(webhook.team_id)!.seq);
  });
  const sent = await Promise.all(late.map((each) => wake(dependencies, each)));
  const woken = sent.filter(Boolean).length;
  const failing = webhooks.filter(({ progress }) => isFailing(progress, now())).length;
  return { webhooks: webhooks.length, woken, not_woken: sent.length - woken, failing };
}

const isFailing = ({ failing_since }: StoredWebhook['progress'], now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= 3_600_000;
