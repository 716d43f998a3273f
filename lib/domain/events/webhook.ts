import * as z from 'zod';
import { timestamp } from '../values/timestamp.ts';
import { uuid } from '../values/uuid.ts';
import { groupOf, type Lane, type WaitingLane, wakeAfter } from '../waiting-work/lane.ts';
import { matchesType, type ServiceEvent } from './event.ts';

/** Why an attempt got no response. */
const attemptFailure = z.enum([
  'timeout',
  'address_refused',
  'name_not_found',
  'connection_failed',
  'tls_failed',
  'invalid_response',
]);
export type AttemptFailure = z.output<typeof attemptFailure>;

/** The status of the response, or why there is none. */
export const attemptResult = z.union([z.int(), attemptFailure]);
export type AttemptResult = z.output<typeof attemptResult>;

/** The result as the API and the command show it. */
export const responseOf = (result: AttemptResult) =>
  typeof result === 'number' ? { status: result, error: null } : { status: null, error: result };

/** What an attempt returned. `retry_after` is the header `Retry-After` of a 429 or 503. */
export type Attempt = AttemptResult | { status: number; retry_after: string };
export const resultOf = (attempt: Attempt): AttemptResult => (typeof attempt === 'object' ? attempt.status : attempt);

/** How far a webhook has got. */
export const webhookProgress = z.object({
  /** The next event of the team's log. Events before it are received, given up, or waiting for another attempt. */
  position: z.object({ seq: z.int(), index: z.int() }),
  /** Failed attempts since the last one that was received, and when they began. */
  failures: z.int(),
  failing_since: z.string().nullable(),
  /** When the receiver was last up again after an outage. */
  up_since: z.string().nullable(),
  /** When there is something to do although no event comes. */
  next_at: z.string().nullable(),
  last_attempt: z.object({ at: z.string(), result: attemptResult }).nullable(),
  /** Events that were published before this time, and not sent, were given up. */
  given_up_until: z.string().nullable(),
  /** The receiver asked for no attempt before this time (`Retry-After`). */
  paused_until: z.string().nullable().default(null),
  /** The receiver takes seconds to respond, or does not respond. */
  is_slow: z.boolean().default(false),
});
export type WebhookProgress = z.output<typeof webhookProgress>;

/** Characters of a URL. */
export const maxWebhookUrl = 2048;

export const webhookSchema = z.object({
  webhook_id: uuid(),
  team_id: uuid(),
  url: z.string(),
  /** Types of events, such as `journey.completed` or `journey.*`; `null` for all. */
  types: z.array(z.string()).nullable(),
  inserted_at: z.string(),
});
export type Webhook = z.output<typeof webhookSchema>;

export const isSubscribed = ({ types }: Webhook, type: string): boolean =>
  types === null || types.some((filter) => matchesType(filter, type));

/** Newest first. A secret with `valid_until` was replaced. */
export const webhookSecrets = z.array(z.object({ secret: z.string(), valid_until: z.string().nullable() }));
export type WebhookSecrets = z.output<typeof webhookSecrets>;

const hour = 3_600_000;

export const liveSecrets = (secrets: WebhookSecrets, now: number): string[] =>
  secrets
    .filter(({ valid_until }) => valid_until === null || Date.parse(valid_until) > now)
    .map(({ secret }) => secret);

/** Milliseconds between the first and the last attempt at an event, and days that an event is kept after that. */
export const retryPeriod = 72 * hour;
export const failedDays = 14;

/**
 * Milliseconds: the shortest wait, the longest one of an event and of a receiver that is down, and how long a receiver is
 * down until what it missed is due at once when it is up again. The sweep can add a minute to a wait.
 */
const waits = { first: 5_000, longest: hour, longestOfReceiver: 240_000, outage: 300_000 };

/** When to try again what has failed since this time: each wait is as long as those before it together. */
export const nextAttempt = (since: string, now: number, longest = waits.longest): string =>
  timestamp(now + Math.min(Math.max(now - Date.parse(since), waits.first), longest));

/** The time of a `Retry-After` (RFC 9110), at most an hour ahead. `undefined` if it is not in the future. */
function pauseOf(attempt: Attempt, now: number): string | undefined {
  if (typeof attempt !== 'object') return undefined;
  const { retry_after } = attempt;
  const wait = /^\d+$/.test(retry_after) ? Number(retry_after) * 1000 : Date.parse(retry_after) - now;
  return wait > 0 ? timestamp(now + Math.min(wait, hour)) : undefined;
}

export const isOver = (since: string, now: number): boolean => now - Date.parse(since) >= retryPeriod;

export const isReceived = (result: AttemptResult): boolean =>
  typeof result === 'number' && result >= 200 && result < 300;

/** The receiver ends the subscription. */
export const isGone = (result: AttemptResult): boolean => result === 410;

/** After so many failed attempts in a row, the receiver counts as down: one event is tried, after growing waits. */
const failuresUntilDown = 5;
export const isDown = ({ failures }: Pick<WebhookProgress, 'failures'>): boolean => failures >= failuresUntilDown;

/** No event may be sent now. */
export const isPaused = (progress: WebhookProgress, now: number): boolean =>
  [progress.paused_until, isDown(progress) ? progress.next_at : null].some(
    (until) => until !== null && Date.parse(until) > now,
  );

/** Records attempts in the order in which they ended. */
export function attempted(before: WebhookProgress, attempt: Attempt, now: number): WebhookProgress {
  const at = timestamp(now);
  const result = resultOf(attempt);
  const progress = { ...before, paused_until: pauseOf(attempt, now) ?? before.paused_until };
  const last_attempt = { at, result };
  if (isReceived(result)) {
    const wasAway = isDown(progress) && now - Date.parse(progress.failing_since ?? at) >= waits.outage;
    const up_since = wasAway ? at : progress.up_since;
    return { ...progress, last_attempt, failures: 0, failing_since: null, up_since };
  }
  const failing_since = progress.failing_since ?? at;
  return { ...progress, last_attempt, failures: progress.failures + 1, failing_since };
}

/** An event that was not received at its first attempt, or waits behind such an event. */
export type PendingDelivery = {
  /** Its place in the log, as a text that sorts. */
  place: string;
  event: ServiceEvent;
  attempts: number;
  /** The first and the last attempt; `null` before the first. */
  since: string | null;
  tried_at: string | null;
};

/** Events that are sent one after another: those of one contact, batch or file. */
export const laneOf = ({ contact_id, batch_id, file_id, id }: ServiceEvent): string =>
  contact_id ?? batch_id ?? file_id ?? id;

/** The deliveries by their lane, in their order. */
export const lanesOf = <Delivery extends Pick<PendingDelivery, 'event'>>(deliveries: readonly Delivery[]) =>
  Map.groupBy(deliveries, ({ event }) => laneOf(event));

/** When the next attempt is due; `null` for now. An event that failed before the receiver was up again is due. */
export function dueAt({ since, tried_at }: PendingDelivery, { up_since }: WebhookProgress): string | null {
  if (since === null || tried_at === null || (up_since !== null && tried_at < up_since)) return null;
  return nextAttempt(since, Date.parse(tried_at));
}

export function isDue(delivery: PendingDelivery, progress: WebhookProgress, now: number): boolean {
  const due = dueAt(delivery, progress);
  return due === null || Date.parse(due) <= now;
}

/**
 * The delivery after a failed attempt. An attempt at a receiver that is down says nothing about the event, so its next
 * one is due as if it had not been made: when the receiver is up again, the event follows at once.
 */
export const failed = (delivery: PendingDelivery, wasDown: boolean, now: number): PendingDelivery => {
  const at = timestamp(now);
  const tried_at = (wasDown ? delivery.tried_at : null) ?? at;
  return { ...delivery, attempts: delivery.attempts + 1, since: delivery.since ?? at, tried_at };
};

/** When a webhook must be looked at again: for the first due delivery of a lane, or to try a receiver that is down. */
export function nextLook(progress: WebhookProgress, pending: readonly PendingDelivery[], now: number): string | null {
  const { failing_since, paused_until } = progress;
  const look =
    isDown(progress) && failing_since !== null
      ? nextAttempt(failing_since, now, waits.longestOfReceiver)
      : [...lanesOf(pending).values()].map(([first]) => dueAt(first!, progress) ?? timestamp(now)).sort()[0];
  if (look === undefined) return null;
  return paused_until !== null && paused_until > look ? paused_until : look;
}

export const webhookLane = ({ team_id, webhook_id }: Pick<Webhook, 'team_id' | 'webhook_id'>): Lane => ({
  ...{ work: 'webhooks', team_id, id: webhook_id },
});

/** Milliseconds from which an attempt makes a receiver slow, and the message groups that the slow webhooks of a team share. */
const slowAttempt = 2_000;
const slowGroups = 5;
export const isSlowAttempt = (milliseconds: number): boolean => milliseconds >= slowAttempt;

/**
 * The message group in which the events of a webhook are sent. Webhooks of one group take turns, so that the slow receivers
 * of one team never use all functions. Any other webhook has the group of its lane.
 */
export function deliveryGroup(
  webhook: Pick<Webhook, 'team_id' | 'webhook_id'>,
  { is_slow }: Pick<WebhookProgress, 'is_slow'>,
): string {
  if (!is_slow) return groupOf(webhookLane(webhook));
  return `${webhook.team_id}#slow#${Number.parseInt(webhook.webhook_id.slice(0, 8), 16) % slowGroups}`;
}

/** Milliseconds that a slow webhook may wait for its turn in a group of slow ones. */
const slowTurn = 120_000;

/**
 * The lane of a webhook: its due attempts, and its next events of the log.
 * @param head the number of the last pack of the log
 * @param published when the next event for the webhook was published, in milliseconds since the epoch
 * @returns `undefined` if there is nothing to send now. A receiver that is down is tried when its attempt is due.
 */
export function waitingWebhook(
  { webhook, progress }: { webhook: Webhook; progress: WebhookProgress },
  head: number,
  published: number | undefined,
  now: number,
): WaitingLane | undefined {
  const { position, next_at, is_slow, failing_since, last_attempt } = progress;
  const isBehind = position.seq <= head && !isPaused(progress, now) && !isDown(progress);
  const due = next_at !== null && Date.parse(next_at) <= now ? Date.parse(next_at) : undefined;
  if (due === undefined && !isBehind) return undefined;
  // More messages would only fill the group of slow webhooks.
  const turn = is_slow && last_attempt !== null ? Date.parse(last_attempt.at) + slowTurn : 0;
  const since = isBehind && failing_since === null && !is_slow ? published : undefined;
  return { lane: webhookLane(webhook), since, wakeAt: Math.max(turn, due ?? (published ?? 0) + wakeAfter) };
}

/** The receiver has received nothing for an hour. */
export const isFailing = ({ failing_since }: Pick<WebhookProgress, 'failing_since'>, now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= hour;

/** A subscription that its receiver ended, and why. It is listed for thirty days. */
export const endedWebhook = z.object({ ...webhookSchema.shape, ended_at: z.string(), cause: z.string() });
export type EndedWebhook = z.output<typeof endedWebhook>;
export const endedDays = 30;

/** A test of a webhook. It is sent once, and not in the log. */
export const testEvent = z.object({ id: uuid(), type: z.literal('webhook.test'), at: z.string(), team_id: uuid() });
export type TestEvent = z.output<typeof testEvent>;

export const webhookBody = (event: { type: string; at: string }): string =>
  JSON.stringify({ type: event.type, timestamp: event.at, data: event });
