import * as z from 'zod';
import { matchesType, type ServiceEvent } from './event.ts';
import { timestamp } from './timestamp.ts';
import { uuid } from './uuid.ts';

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
});
export type WebhookProgress = z.output<typeof webhookProgress>;

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
 * Milliseconds: the shortest and the longest wait, and how long a receiver is down until what it missed is due at once when
 * it is up again.
 */
const waits = { first: 5_000, longest: hour, outage: 300_000 };

/** When to try again what has failed since this time: each wait is as long as those before it together, up to an hour. */
export const nextAttempt = (since: string, now: number): string =>
  timestamp(now + Math.min(Math.max(now - Date.parse(since), waits.first), waits.longest));

export const isOver = (since: string, now: number): boolean => now - Date.parse(since) >= retryPeriod;

export const isReceived = (result: AttemptResult): boolean =>
  typeof result === 'number' && result >= 200 && result < 300;

/** The receiver ends the subscription. */
export const isGone = (result: AttemptResult): boolean => result === 410;

/** After so many failed attempts in a row, the receiver counts as down: only a few events are tried, and seldom. */
const failuresUntilDown = 5;
export const isDown = ({ failures }: Pick<WebhookProgress, 'failures'>): boolean => failures >= failuresUntilDown;

/** Records attempts in the order in which they ended. */
export function attempted(progress: WebhookProgress, result: AttemptResult, now: number): WebhookProgress {
  const at = timestamp(now);
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

/** The delivery after a failed attempt. */
export const failed = (delivery: PendingDelivery, now: number): PendingDelivery => {
  const tried_at = timestamp(now);
  return { ...delivery, attempts: delivery.attempts + 1, since: delivery.since ?? tried_at, tried_at };
};

/** When a webhook must be looked at again: for the first due delivery of a lane, or to try a receiver that is down. */
export function nextLook(progress: WebhookProgress, pending: readonly PendingDelivery[], now: number): string | null {
  if (isDown(progress) && progress.failing_since !== null) return nextAttempt(progress.failing_since, now);
  const due = [...lanesOf(pending).values()].map(([first]) => dueAt(first!, progress) ?? timestamp(now));
  return due.sort()[0] ?? null;
}

/** A test of a webhook. It is sent once, and not in the log. */
export const testEvent = z.object({ id: uuid(), type: z.literal('webhook.test'), at: z.string(), team_id: uuid() });
export type TestEvent = z.output<typeof testEvent>;

export const webhookBody = (event: { type: string; at: string }): string =>
  JSON.stringify({ type: event.type, timestamp: event.at, data: event });
