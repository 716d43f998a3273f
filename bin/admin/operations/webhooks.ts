import { isEventFilter, type ServiceEvent } from '../../../lib/domain/event.ts';
import { notFound, Problem, validationFailed } from '../../../lib/domain/problem.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import {
  type AttemptResult,
  isSubscribed,
  type PendingDelivery,
  type TestEvent,
  type Webhook,
  type WebhookProgress,
  type WebhookSecrets,
} from '../../../lib/domain/webhook.ts';
import { lostRace, untilWritten } from '../../../lib/operations/retry.ts';
import type { Service } from '../../../lib/operations/service.ts';
import type { Database } from '../../../lib/store/database.ts';
import { logHead, positionAt, readEvents } from '../../../lib/store/event-log.ts';
import { logPlace } from '../../../lib/store/keys.ts';
import {
  loadWaiting,
  loadWebhook,
  type PendingChanges,
  type StoredWebhook,
  saveProgress,
} from '../../../lib/store/webhooks.ts';
import { type UrlPolicy, urlRefusal } from '../../../lib/webhooks/url.ts';
import {
  deleteFailedEvents,
  findEvent,
  insertTest,
  insertWebhook,
  listFailedEvents,
  loadTestResult,
  loadWebhookSecrets,
  saveWebhookSecrets,
} from '../store/webhooks.ts';

export type WebhookDependencies = Pick<Service, 'database' | 'now' | 'newId' | 'newSecret' | 'pause'> & {
  /** Wakes the function that delivers. */
  wake(webhook: Webhook): Promise<void>;
};

/** Standard Webhooks: `whsec_` and base64. */
const secretOf = ({ newSecret }: Pick<WebhookDependencies, 'newSecret'>): string =>
  `whsec_${Buffer.from(newSecret(), 'base64url').toString('base64')}`;

/**
 * The webhook gets the events that are published after it is made.
 * @throws Problem `validation_failed`
 */
export async function createWebhook(
  dependencies: WebhookDependencies,
  { team_id, url, types }: Pick<Webhook, 'team_id' | 'url' | 'types'>,
  policy: UrlPolicy,
): Promise<{ webhook: Webhook; secret: string }> {
  const { database, now, newId } = dependencies;
  const refusal = urlRefusal(url, policy);
  const unknown = (types ?? []).filter((type) => !isEventFilter(type));
  const errors = [
    ...(refusal === undefined ? [] : [{ path: '--url', message: refusal }]),
    ...unknown.map((type) => ({ path: '--type', message: `there are no events of the type ${type}` })),
  ];
  if (errors.length > 0) throw validationFailed(errors);
  const inserted_at = timestamp(now());
  const webhook = { webhook_id: newId(), team_id, url: new URL(url).href, types, inserted_at };
  const secret = secretOf(dependencies);
  const { seq } = await logHead(database, team_id);
  const isNew = await insertWebhook(database, webhook, progressFrom({ seq: seq + 1, index: 0 }), [
    { secret, valid_until: null },
  ]);
  if (!isNew) throw new Problem('internal_error', undefined, { reason: 'the id of a new webhook is taken' });
  return { webhook, secret };
}

const progressFrom = (position: WebhookProgress['position']): WebhookProgress => ({
  position,
  ...{ failures: 0, failing_since: null, up_since: null, next_at: null, last_attempt: null, given_up_until: null },
});

/** Milliseconds that the old secret still signs after a rotation. */
const secretOverlap = 24 * 3_600_000;

/** Gives the webhook a new secret. The one before signs for a day more, an earlier one ends at once. */
export async function rotateWebhook(
  dependencies: WebhookDependencies,
  webhookId: string,
): Promise<{ secret: string; old_secret_until: string }> {
  const { database, now } = dependencies;
  const secret = secretOf(dependencies);
  return untilWritten(dependencies, 'the webhook is rotated by others', async () => {
    const stored = await loadWebhookSecrets(database, webhookId);
    const [newest] = stored?.secrets ?? [];
    if (!stored || !newest) throw notFound();
    // An earlier round wrote it, and the response was lost.
    if (newest.secret === secret) return { secret, old_secret_until: stored.secrets[1]!.valid_until! };
    const old_secret_until = timestamp(now() + secretOverlap);
    const secrets: WebhookSecrets = [
      { secret, valid_until: null },
      { ...newest, valid_until: old_secret_until },
    ];
    const isSaved = await saveWebhookSecrets(database, webhookId, secrets, stored.secrets);
    return isSaved ? { secret, old_secret_until } : lostRace;
  });
}

/** Sends all events again that were published at this time or later. A receiver that is down is tried at once. */
export async function redeliverSince(
  dependencies: WebhookDependencies,
  webhook: Webhook,
  since: string,
): Promise<void> {
  const { database, now } = dependencies;
  const position = await positionAt(database, webhook.team_id, since, now());
  const place = logPlace(position, 0);
  await resume(dependencies, webhook, async ({ progress }) => ({
    ...(place < logPlace(progress.position, 0) ? { position } : {}),
    given_up_until: null,
  }));
  const failed = await listFailedEvents(database, webhook);
  await deleteFailedEvents(
    database,
    webhook,
    failed.filter((each) => each.place >= place),
  );
}

/**
 * Sends one event again.
 * @param since the event was published at this time or later, so that no older ones are searched
 * @returns false if there is no such event
 */
export async function redeliverEvent(
  dependencies: WebhookDependencies,
  webhook: Webhook,
  eventId: string,
  since?: string,
): Promise<boolean> {
  const { database } = dependencies;
  const isIt = ({ event }: { event: ServiceEvent }) => event.id === eventId;
  const failed = (await listFailedEvents(database, webhook)).filter(isIt);
  const { pending } = await loadWaiting(database, webhook);
  const found = pending.find(isIt) ?? failed[0] ?? (await findEvent(database, webhook.team_id, eventId, since));
  if (!found) return false;
  await resume(dependencies, webhook, async (_, changes) => {
    const waiting = (await loadWaiting(database, webhook)).pending.find(isIt);
    const { place, event } = waiting ?? found;
    changes[waiting ? 'changed' : 'added'].push({ place, event, attempts: 0, since: null, tried_at: null });
    return {};
  });
  await deleteFailedEvents(database, webhook, failed);
  return true;
}

type MutableChanges = { [Name in keyof PendingChanges]: PendingDelivery[] };

/** Changes the progress, and begins to deliver as if the receiver were up. */
async function resume(
  dependencies: WebhookDependencies,
  { webhook_id, team_id }: Webhook,
  change: (stored: StoredWebhook, changes: MutableChanges) => Promise<Partial<WebhookProgress>>,
): Promise<void> {
  const { database, now, wake } = dependencies;
  const webhook = await untilWritten(dependencies, 'the webhook is always at work', async () => {
    const stored = await loadWebhook(database, team_id, webhook_id);
    if (!stored) throw notFound();
    const changes: MutableChanges = { added: [], changed: [], received: [], givenUp: [] };
    const changed = await change(stored, changes);
    const at = timestamp(now());
    const up = { failures: 0, failing_since: null, up_since: at, next_at: at };
    const progress = { ...stored.progress, ...up, ...changed };
    return (await saveProgress(database, stored, progress, now(), changes)) ? stored.webhook : lostRace;
  });
  await wake(webhook);
}

/** Milliseconds: longer than a wake, a start of the function and an attempt take together. */
const testTimeout = 40_000;

/**
 * Sends one event of the type `webhook.test` as all events are sent, and waits for the result.
 * @returns `undefined` if the function that delivers did not send it in time
 */
export async function testWebhook(
  { database, now, newId, wake, sleep }: WebhookDependencies & { sleep(milliseconds: number): Promise<void> },
  webhook: Webhook,
): Promise<{ event: TestEvent; result: AttemptResult | undefined }> {
  const event: TestEvent = { id: newId(), type: 'webhook.test', at: timestamp(now()), team_id: webhook.team_id };
  await insertTest(database, webhook, event, now());
  await wake(webhook);
  const deadline = now() + testTimeout;
  while (now() < deadline) {
    const result = await loadTestResult(database, webhook, event.id);
    if (result !== undefined) return { event, result };
    if (!(await loadWebhook(database, webhook.team_id, webhook.webhook_id))) return { event, result: gone };
    await sleep(200);
  }
  return { event, result: undefined };
}

/** The status with which a receiver removes its webhook. */
const gone = 410;

/** Events of the log that are counted. */
const counted = 1000;

export type ShownWebhook = Awaited<ReturnType<typeof showWebhook>>;

/** A webhook for administrators. */
export async function showWebhook(database: Database, { webhook, progress }: StoredWebhook) {
  const { position, failing_since, last_attempt, next_at, given_up_until } = progress;
  const { pending } = await loadWaiting(database, webhook);
  // After `redeliver --since`, events that wait for another attempt are read from the log again.
  const waiting = new Set(pending.map(({ event }) => event.id));
  const isUnread = ({ id, type }: ServiceEvent) => isSubscribed(webhook, type) && !waiting.has(id);
  const { events } = await readEvents(database, webhook.team_id, position, counted, isUnread);
  const failed = await listFailedEvents(database, webhook);
  return {
    ...webhook,
    state: failing_since === null ? 'up' : 'failing',
    // When it is tried again, if something was not received.
    ...{ failing_since, last_attempt, next_attempt_at: next_at },
    // Events that failed or wait behind one that failed, and events that were not tried yet: this number or more.
    backlog: { waiting: pending.length, unread: events.length },
    // Events that were given up: one by one in the last 14 days, and all that were not tried before a time.
    failed: failed.map(({ event, attempts }) => ({ event, attempts })),
    given_up_until,
  };
}
