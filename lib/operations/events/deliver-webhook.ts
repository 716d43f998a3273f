import { signatureHeaders } from '../../auth/webhook-signature.ts';
import type { ServiceEvent } from '../../domain/event.ts';
import { timestamp } from '../../domain/timestamp.ts';
import {
  type AttemptResult,
  attempted,
  failed,
  isDown,
  isDue,
  isGone,
  isOver,
  isReceived,
  isSubscribed,
  laneOf,
  lanesOf,
  liveSecrets,
  nextLook,
  type PendingDelivery,
  retryPeriod,
  type TestEvent,
  type WebhookProgress,
  type WebhookSecrets,
  webhookBody,
} from '../../domain/webhook.ts';
import type { Database } from '../../store/database.ts';
import { isExpired, type LogPosition, positionAt, readEvents } from '../../store/event-log.ts';
import { logPlace } from '../../store/keys.ts';
import {
  deleteWebhook,
  loadWaiting,
  loadWebhook,
  type PendingChanges,
  type StoredWebhook,
  saveProgress,
  saveTest,
} from '../../store/webhooks.ts';

export type DeliveryDependencies = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Sends one request. It takes ten seconds at most. */
  send(request: { url: string; headers: Record<string, string>; body: string }): Promise<AttemptResult>;
  /** Days that events are kept in the log. */
  eventRetentionDays: number;
};

export type DeliveryReport = {
  /** `caught_up`: nothing can be sent now. `more`: the time was over. `removed`: the receiver ended it (410), or there is no such webhook. */
  outcome: 'caught_up' | 'more' | 'removed' | 'gone';
  received: number;
  failed: number;
};

/** Events of one turn. With the webhook itself, their changes fit into a transaction. */
const eventsPerTurn = 45;
const parallelLanes = 16;
/** Attempts at a receiver that is down, if it answers them. After an attempt without a response, there is no other. */
const probes = 10;
/** With so many pending events, no more are read from the log. */
const maxPending = 500;
/** Milliseconds. For a longer wait, the schedule wakes the webhook again. */
const longestSleep = 15_000;

type Loaded = StoredWebhook & { secrets: WebhookSecrets };

/** Sends what waits for this webhook, in turns. The progress is saved after each: an interrupted turn is repeated. */
export async function deliverWebhook(
  dependencies: DeliveryDependencies,
  teamId: string,
  webhookId: string,
  hasTime: () => boolean,
): Promise<DeliveryReport> {
  const { database, now, sleep } = dependencies;
  const report: DeliveryReport = { outcome: 'more', received: 0, failed: 0 };
  const send = async (webhook: Loaded, event: ServiceEvent | TestEvent) => {
    const result = await sendEvent(dependencies, webhook, event);
    report[isReceived(result) ? 'received' : 'failed'] += 1;
    return result;
  };
  while (hasTime()) {
    const loaded = await loadWebhook(database, teamId, webhookId);
    if (!loaded) return { ...report, outcome: 'removed' };
    const turn = await takeTurn(dependencies, loaded, (event) => send(loaded, event), hasTime);
    if (turn === 'gone') {
      await deleteWebhook(database, loaded.webhook);
      return { ...report, outcome: 'gone' };
    }
    if (turn === 'worked') continue;
    const wait = turn.next_at === null ? Number.POSITIVE_INFINITY : Date.parse(turn.next_at) - now();
    if (wait > longestSleep) return { ...report, outcome: 'caught_up' };
    await sleep(Math.max(wait, 0));
  }
  return report;
}

function sendEvent(
  { send, now }: DeliveryDependencies,
  { webhook, secrets }: Loaded,
  event: ServiceEvent | TestEvent,
): Promise<AttemptResult> {
  const body = webhookBody(event);
  const signature = signatureHeaders(liveSecrets(secrets, now()), { id: event.id, body }, now());
  return send({ url: webhook.url, headers: { ...signature, 'content-type': 'application/json' }, body });
}

type Send = (event: ServiceEvent | TestEvent) => Promise<AttemptResult>;

/**
 * Sends tests, then due events that were not received before, or else the next events of the log.
 * @returns the progress if there is nothing to send now
 */
async function takeTurn(
  { database, now, eventRetentionDays }: DeliveryDependencies,
  loaded: Loaded,
  send: Send,
  hasTime: () => boolean,
): Promise<'worked' | 'gone' | WebhookProgress> {
  const { webhook } = loaded;
  const { pending, tests } = await loadWaiting(database, webhook);
  let { progress } = loaded;
  for (const test of tests) {
    const result = await send(test);
    if (isGone(result)) return 'gone';
    await saveTest(database, webhook, test, result);
    // A test that is not received says nothing new.
    if (isReceived(result)) progress = attempted(progress, result, now());
  }
  const wasDown = isDown(progress);
  if (wasDown && progress.next_at !== null && Date.parse(progress.next_at) > now()) return progress;
  progress = await withoutGivenUp(database, webhook.team_id, progress, now());
  const waiting = dueDeliveries(pending, progress, now());
  const isLogRead = pending.length < maxPending && (wasDown ? !waiting.some(isFresh) : waiting.length === 0);
  const { position } = progress;
  const isWanted = ({ type }: ServiceEvent) => isSubscribed(webhook, type);
  const page = isLogRead ? await readEvents(database, webhook.team_id, position, eventsPerTurn, isWanted) : undefined;
  const known = new Set(pending.map(({ event }) => event.id));
  const fresh = (page?.events ?? [])
    .map((event, offset) => ({ place: logPlace(position, offset), event, attempts: 0, since: null, tried_at: null }))
    .filter(({ event }) => !known.has(event.id));
  const held = new Set(pending.map(({ event }) => laneOf(event)));
  const lanes = lanesOf([...waiting, ...fresh.filter(({ event }) => !held.has(laneOf(event)))]);
  const sent = await sendLanes([...lanes.values()], { progress, send, now, hasTime });
  if ([...sent.results.values()].some(isGone)) return 'gone';
  const { remaining, ...changes } = outcomeOf({ pending, fresh, results: sent.results }, now());
  const next: WebhookProgress = { ...sent.progress, position: page?.next ?? position };
  const isIdle = sent.results.size === 0 && isSame(next.position, position);
  if (isIdle && page && (await isExpired(database, webhook.team_id, position, now()))) {
    next.given_up_until = timestamp(now() - (eventRetentionDays - 1) * day);
    next.position = await positionAt(database, webhook.team_id, next.given_up_until, now());
  }
  next.next_at = nextLook(next, remaining, now());
  if (isIdle && JSON.stringify(next) === JSON.stringify(loaded.progress)) return next;
  await saveProgress(database, loaded, next, now(), changes);
  return isIdle && isSame(next.position, position) ? next : 'worked';
}

const day = 24 * 3_600_000;

const isFresh = ({ attempts }: PendingDelivery): boolean => attempts === 0;

const isSame = (one: LogPosition, other: LogPosition): boolean => one.seq === other.seq && one.index === other.index;

/** While a receiver is down, events of the log are given up like those that were tried: three days later. */
async function withoutGivenUp(
  database: Database,
  teamId: string,
  progress: WebhookProgress,
  now: number,
): Promise<WebhookProgress> {
  const { position, failing_since } = progress;
  if (failing_since === null || !isOver(failing_since, now)) return progress;
  const time = timestamp(now - retryPeriod);
  const first = await positionAt(database, teamId, time, now);
  return logPlace(first, 0) > logPlace(position, 0) ? { ...progress, position: first, given_up_until: time } : progress;
}

/**
 * The deliveries of the lanes whose first one is due. If the receiver is down, of a few lanes: of those that were tried
 * least, because it may refuse some events and accept others.
 */
function dueDeliveries(pending: readonly PendingDelivery[], progress: WebhookProgress, now: number): PendingDelivery[] {
  const lanes = [...lanesOf(pending).values()];
  if (isDown(progress)) {
    const leastTried = lanes.sort(([a], [b]) => a!.attempts - b!.attempts);
    return leastTried.slice(0, probes).flatMap((lane) => lane.slice(0, 2));
  }
  const due = lanes.filter(([first]) => isDue(first!, progress, now));
  return due.flat().slice(0, eventsPerTurn);
}

type LaneOptions = { progress: WebhookProgress; send: Send; now: () => number; hasTime: () => boolean };

/**
 * Sends the lanes in parallel, and the events of a lane one after another until one is not received. If the receiver is
 * down, it gets a few events, one after another, until it receives one.
 */
async function sendLanes(lanes: readonly PendingDelivery[][], { progress, send, now, hasTime }: LaneOptions) {
  const results = new Map<PendingDelivery, AttemptResult>();
  let state = progress;
  const wasDown = isDown(progress);
  let isOut = false;
  const queue = lanes.values();
  const work = async () => {
    for (const lane of queue) {
      for (const delivery of lane) {
        if (isOut || !hasTime()) return;
        const result = await send(delivery.event);
        results.set(delivery, result);
        state = attempted(state, result, now());
        const hasProbed = !wasDown || results.size >= probes || typeof result !== 'number';
        isOut ||= isGone(result) || (isDown(state) && hasProbed);
        if (!isReceived(result)) break;
      }
    }
  };
  await Promise.all(Array.from({ length: wasDown ? 1 : parallelLanes }, work));
  return { results, progress: state };
}

type Turn = {
  pending: readonly PendingDelivery[];
  fresh: readonly PendingDelivery[];
  results: ReadonlyMap<PendingDelivery, AttemptResult>;
};

/** What the results change, and what is pending after that. */
function outcomeOf({ pending, fresh, results }: Turn, now: number): PendingChanges & { remaining: PendingDelivery[] } {
  const isOut = (each: PendingDelivery) => {
    const result = results.get(each);
    return result !== undefined && isReceived(result);
  };
  const after = (each: PendingDelivery) => (results.has(each) ? failed(each, now) : each);
  const failures = pending.filter((each) => results.has(each) && !isOut(each)).map(after);
  const [givenUp, changed] = [
    failures.filter((each) => isTooOld(each, now)),
    failures.filter((each) => !isTooOld(each, now)),
  ];
  const added = fresh.filter((each) => !isOut(each)).map(after);
  const untouched = pending.filter((each) => !results.has(each));
  const remaining = [...untouched, ...changed, ...added].sort((a, b) => (a.place < b.place ? -1 : 1));
  return { added, changed, received: pending.filter(isOut), givenUp, remaining };
}

const isTooOld = ({ since }: PendingDelivery, now: number): boolean => since !== null && isOver(since, now);
