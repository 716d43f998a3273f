import type { ServiceEvent } from '../../domain/events/event.ts';
import {
  type AttemptResult,
  type EndedWebhook,
  isSubscribed,
  type PendingDelivery,
  type TestEvent,
  type Webhook,
  type WebhookProgress,
  type WebhookSecrets,
  webhookLane,
} from '../../domain/events/webhook.ts';
import { notFound, Problem, validationFailed } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import { logHead, positionAt, readEvents } from '../../store/events/event-log.ts';
import {
  deleteFailedEvents,
  findEvent,
  insertTest,
  insertWebhook,
  lastFailedEvents,
  listFailedEvents,
  loadTestResult,
  loadWebhookSecrets,
  saveWebhookSecrets,
} from '../../store/events/webhook-subscriptions.ts';
import {
  listEndedWebhooks,
  listWebhooks,
  loadWaiting,
  loadWebhook,
  type PendingChanges,
  type StoredWebhook,
  saveProgress,
} from '../../store/events/webhooks.ts';
import type { Database } from '../../store/table/database.ts';
import { logPlace } from '../../store/table/keys.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

export type WebhookService = Service & {
  /** Wakes the function that delivers. */
  wake(lane: Lane): Promise<void>;
};

/** Of a team. Each can use one function at a time. */
export const maxWebhooks = 100;

/** Standard Webhooks: `whsec_` and base64. */
const secretOf = ({ newSecret }: Pick<WebhookService, 'newSecret'>): string =>
  `whsec_${Buffer.from(newSecret(), 'base64url').toString('base64')}`;

/**
 * The webhook gets the events that are published after it is made.
 * @param refusal why the URL is refused
 * @throws Problem `validation_failed` at `urlPath`, `conflict` if the team has too many
 */
export async function createWebhook(
  service: WebhookService,
  { team_id, url, types }: Pick<Webhook, 'team_id' | 'url' | 'types'>,
  refusal: string | undefined,
  urlPath = '/url',
): Promise<{ webhook: Webhook; secret: string }> {
  const { database, now, newId } = service;
  if (refusal !== undefined) throw validationFailed([{ path: urlPath, message: refusal }]);
  const hint = `A team has ${maxWebhooks} webhooks at most.`;
  if ((await listWebhooks(database, team_id)).length >= maxWebhooks) throw new Problem('conflict', undefined, { hint });
  const inserted_at = timestamp(now());
  const webhook = { webhook_id: newId(), team_id, url: new URL(url).href, types, inserted_at };
  const secret = secretOf(service);
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
  ...{ paused_until: null, is_slow: false },
});

/** Milliseconds that the old secret still signs after a rotation. */
const secretOverlap = 24 * 3_600_000;

/** Gives the webhook a new secret. The one before signs for a day more, an earlier one ends at once. */
export async function rotateWebhook(
  service: WebhookService,
  webhookId: string,
): Promise<{ secret: string; old_secret_until: string }> {
  const { database, now } = service;
  const secret = secretOf(service);
  return untilWritten(service, 'the webhook is rotated by others', async () => {
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

/**
 * Sends all events again that were published at this time or later, but since the webhook was made. A receiver that is
 * down is tried at once.
 */
export async function redeliverSince(service: WebhookService, webhook: Webhook, since: string): Promise<void> {
  const { database, now } = service;
  const { team_id, inserted_at } = webhook;
  const position = await positionAt(database, team_id, since < inserted_at ? inserted_at : since, now());
  const place = logPlace(position);
  await resume(service, webhook, async ({ progress }) => ({
    ...(place < logPlace(progress.position) ? { position } : {}),
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
 * Sends one event again, of the types of the webhook and since it was made.
 * @param since the event was published at this time or later, so that no older ones are searched
 * @returns false if there is no such event
 */
export async function redeliverEvent(
  service: WebhookService,
  webhook: Webhook,
  eventId: string,
  since = '',
): Promise<boolean> {
  const { database } = service;
  const { team_id, inserted_at } = webhook;
  const isIt = ({ event }: { event: ServiceEvent }) => event.id === eventId;
  const failed = (await listFailedEvents(database, webhook)).filter(isIt);
  const { pending } = await loadWaiting(database, webhook);
  const from = since < inserted_at ? inserted_at : since;
  const found = pending.find(isIt) ?? failed[0] ?? (await findEvent(database, team_id, eventId, from));
  if (!found || !isSubscribed(webhook, found.event.type)) return false;
  await resume(service, webhook, async (_, changes) => {
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
  service: WebhookService,
  { webhook_id, team_id }: Webhook,
  change: (stored: StoredWebhook, changes: MutableChanges) => Promise<Partial<WebhookProgress>>,
): Promise<void> {
  const { database, now, wake } = service;
  const webhook = await untilWritten(service, 'the webhook is always at work', async () => {
    const stored = await loadWebhook(database, team_id, webhook_id);
    if (!stored) throw notFound();
    const changes: MutableChanges = { added: [], changed: [], received: [], givenUp: [] };
    const changed = await change(stored, changes);
    const at = timestamp(now());
    const up = { failures: 0, failing_since: null, up_since: at, next_at: at, paused_until: null };
    const progress = { ...stored.progress, ...up, ...changed };
    return (await saveProgress(database, stored, progress, now(), changes)) ? stored.webhook : lostRace;
  });
  await wake(webhookLane(webhook));
}

/**
 * Sends one event of the type `webhook.test` as all events are sent, and waits for the result.
 * @param milliseconds to wait; a wake, a start of the function and an attempt together take less than 25 seconds
 * @returns `undefined` if the function that delivers did not send it in time
 */
export async function testWebhook(
  { database, now, newId, wake, wait }: WebhookService,
  webhook: Webhook,
  milliseconds = 25_000,
): Promise<{ event: TestEvent; result: AttemptResult | undefined }> {
  const event: TestEvent = { id: newId(), type: 'webhook.test', at: timestamp(now()), team_id: webhook.team_id };
  await insertTest(database, webhook, event, now());
  await wake(webhookLane(webhook));
  const deadline = now() + milliseconds;
  while (now() < deadline) {
    const result = await loadTestResult(database, webhook, event.id);
    if (result !== undefined) return { event, result };
    await wait(200);
  }
  return { event, result: undefined };
}

/** Events of the log that are counted. */
const counted = 1000;

export type ShownWebhook = Awaited<ReturnType<typeof showWebhook>>;

/** A webhook with its state, as lists show it. */
export function shownWebhook({ webhook, progress }: StoredWebhook) {
  const { failing_since, last_attempt, next_at } = progress;
  const state = failing_since === null ? ('up' as const) : ('failing' as const);
  // When it is tried again, if something was not received.
  return { ...webhook, state, failing_since, last_attempt, next_attempt_at: next_at };
}

export type ListedWebhook = ReturnType<typeof shownWebhook> | (EndedWebhook & { state: 'ended' });

/** The webhooks of the team, those that ended included, oldest first. */
export async function listShownWebhooks({ database, now }: Service, teamId: string): Promise<ListedWebhook[]> {
  const webhooks = (await listWebhooks(database, teamId)).map(shownWebhook);
  const ended = await listEndedWebhooks(database, teamId, now());
  return [...webhooks, ...ended.map((each) => ({ ...each, state: 'ended' as const }))].sort((a, b) =>
    a.inserted_at < b.inserted_at ? -1 : 1,
  );
}

/** Given-up events that are shown. */
const maxFailed = 100;

/** A webhook with what waits and what was given up. */
export async function showWebhook(database: Database, stored: StoredWebhook) {
  const { webhook } = stored;
  const { position, given_up_until } = stored.progress;
  const { pending } = await loadWaiting(database, webhook);
  // After `redeliver --since`, events that wait for another attempt are read from the log again.
  const waiting = new Set(pending.map(({ event }) => event.id));
  const isUnread = ({ id, type }: ServiceEvent) => isSubscribed(webhook, type) && !waiting.has(id);
  const { events } = await readEvents(database, webhook.team_id, position, counted, isUnread);
  const failed = await lastFailedEvents(database, webhook, maxFailed);
  return {
    ...shownWebhook(stored),
    // Events that failed or wait behind one that failed, and events that were not tried yet: this number or more.
    backlog: { waiting: pending.length, unread: events.length },
    // Events that were given up: one by one in the last 14 days, newest first, and all that were not tried before a time.
    failed: failed.map(({ event, attempts }) => ({ event, attempts })),
    given_up_until,
  };
}
