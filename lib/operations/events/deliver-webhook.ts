import { signatureHeaders } from '../../auth/webhook-signature.ts';
import type { ServiceEvent } from '../../domain/events/event.ts';
import {
  type Attempt,
  type AttemptResult,
  attempted,
  deliveryGroup,
  failed,
  isDown,
  isDue,
  isGone,
  isOver,
  isPaused,
  isReceived,
  isSlowAttempt,
  isSubscribed,
  laneOf,
  lanesOf,
  liveSecrets,
  nextLook,
  type PendingDelivery,
  resultOf,
  retryPeriod,
  type TestEvent,
  type Webhook,
  type WebhookProgress,
  type WebhookSecrets,
  webhookBody,
  webhookLane,
} from '../../domain/events/webhook.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { groupOf } from '../../domain/waiting-work/lane.ts';
import { isExpired, type LogPosition, positionAt, readEvents } from '../../store/events/event-log.ts';
import {
  endWebhook,
  loadWaiting,
  loadWebhook,
  type PendingChanges,
  type StoredWebhook,
  saveProgress,
  saveTest,
} from '../../store/events/webhooks.ts';
import type { Database } from '../../store/table/database.ts';
import { logPlace } from '../../store/table/keys.ts';
import { recordEntry } from '../access/audit.ts';
import type { Service, Settings } from '../service.ts';
import type { Turn, TurnEnd } from '../waiting-work/turn.ts';

export type DeliveryService = Service &
  Pick<Settings, 'eventRetentionDays' | 'retentionDays'> & {
    /** Sends one request. It takes ten seconds at most. */
    send(request: { url: string; headers: Record<string, string>; body: string }): Promise<Attempt>;
  };

export type DeliveryReport = {
  /**
   * `caught_up`: nothing can be sent now. `more`: the turn is over, because its time is or because the webhook belongs
   * into another message group. `gone`: the receiver ended it (410). `removed`: there is no such webhook.
   */
  outcome: 'caught_up' | 'more' | 'removed' | 'gone';
  received: number;
  failed: number;
  /** The message group in which the rest is sent. */
  group: string;
  /** When there is something to do although no event comes. */
  next_at: string | null;
};

/** Fixed, so that the firewall of a receiver can let it in. */
const userAgent = 'onboarding-webhooks/1.0';
/** Events of one round. With the webhook itself, their changes fit into a transaction. */
const eventsPerRound = 45;
const parallelLanes = 16;
/** With so many pending events, no more are read from the log. */
const maxPending = 500;

type Loaded = StoredWebhook & { secrets: WebhookSecrets };

/**
 * Sends what waits for this webhook, in rounds. The progress is saved after each: an interrupted round is repeated. In a
 * message group where the webhook does not belong it only sends tests, for which somebody waits.
 */
export async function deliverWebhook(
  service: DeliveryService,
  { team_id, webhook_id, group }: Pick<Webhook, 'team_id' | 'webhook_id'> & { group?: string | undefined },
  hasTime: () => boolean,
): Promise<DeliveryReport> {
  const { database, now } = service;
  const report: DeliveryReport = {
    outcome: 'more',
    received: 0,
    failed: 0,
    group: group ?? groupOf(webhookLane({ team_id, webhook_id })),
    next_at: null,
  };
  const send = async (webhook: Loaded, event: ServiceEvent | TestEvent) => {
    const attempt = await sendEvent(service, webhook, event);
    report[isReceived(resultOf(attempt)) ? 'received' : 'failed'] += 1;
    return attempt;
  };
  while (hasTime()) {
    const loaded = await loadWebhook(database, team_id, webhook_id);
    if (!loaded) return { ...report, outcome: 'removed' };
    const { webhook, progress } = loaded;
    const own = deliveryGroup(webhook, progress);
    const { pending, tests } = await loadWaiting(database, webhook);
    const tested = await sendTests(service, loaded, tests, (event) => send(loaded, event));
    if (own !== (group ?? own)) return { ...report, group: own, next_at: progress.next_at };
    group = report.group = own;
    const waiting = { ...loaded, pending, tested };
    const round = await takeRound(service, waiting, (event) => send(loaded, event), hasTime);
    if (round === 'gone') {
      await endedByReceiver(service, webhook);
      return { ...report, outcome: 'gone' };
    }
    if (round === 'worked' || (round.next_at !== null && Date.parse(round.next_at) <= now())) continue;
    return { ...report, outcome: 'caught_up', next_at: round.next_at };
  }
  return report;
}

/**
 * Seconds: a longer wait ends with a wake of the sweep. A shorter one is waited for in steps, so that events that come
 * meanwhile wait for one step at most.
 */
const waits = { longest: 60, step: 5 };
/** The sweep goes on after this number of steps. */
const maxSteps = 20;

/** Where the turn of a webhook goes on after this report. */
export function endOfDelivery(
  { outcome, group, next_at }: DeliveryReport,
  turn: Pick<Turn, 'lane' | 'group' | 'received'>,
  now: number,
): TurnEnd {
  const own = groupOf(turn.lane);
  const wait = next_at === null ? Number.POSITIVE_INFINITY : Math.ceil((Date.parse(next_at) - now) / 1000);
  const isSoon = wait > 0 && wait <= waits.longest;
  const step = { again: Math.min(wait, waits.step) };
  if (outcome === 'more') {
    const isMoved = turn.group === own && group !== own;
    return isMoved && isSoon && turn.received === 1 ? step : { wakes: group };
  }
  if (outcome !== 'caught_up' || !isSoon) return 'empty';
  // A group of slow webhooks is not held up: their waits are in their own groups, before they come here again.
  if (turn.group !== own) return { wakes: own };
  return turn.received <= maxSteps ? step : 'empty';
}

/** The entry of the audit log comes first, so that no webhook ends without one. */
async function endedByReceiver(service: DeliveryService, webhook: Webhook): Promise<void> {
  const { database, now } = service;
  const { team_id, webhook_id } = webhook;
  const cause = 'the receiver responded 410';
  const entry = { who: 'webhook-delivery', what: 'webhook ended', team_id, ids: { webhook_id }, outcome: cause };
  await recordEntry(service, entry, `${webhook_id}#ended`);
  await endWebhook(database, { ...webhook, ended_at: timestamp(now()), cause }, now());
}

/** A test says something only if it is received: then the receiver is up. It never ends a webhook. */
async function sendTests(
  { database, now }: DeliveryService,
  { webhook, progress }: Loaded,
  tests: readonly TestEvent[],
  send: Send,
): Promise<WebhookProgress> {
  const results = await Promise.all(
    tests.slice(0, parallelLanes).map(async (test) => {
      const result = resultOf(await send(test));
      await saveTest(database, webhook, test, result);
      return result;
    }),
  );
  const received = results.find(isReceived);
  return received === undefined ? progress : attempted(progress, received, now());
}

function sendEvent(
  { send, now }: DeliveryService,
  { webhook, secrets }: Loaded,
  event: ServiceEvent | TestEvent,
): Promise<Attempt> {
  const body = webhookBody(event);
  const signature = signatureHeaders(liveSecrets(secrets, now()), { id: event.id, body }, now());
  const headers = { ...signature, 'content-type': 'application/json', 'user-agent': userAgent };
  return send({ url: webhook.url, headers, body });
}

type Send = (event: ServiceEvent | TestEvent) => Promise<Attempt>;

/**
 * Sends due events that were not received before, or else the next events of the log.
 * @returns the progress if there is nothing to send now
 */
async function takeRound(
  { database, now, eventRetentionDays }: DeliveryService,
  loaded: Loaded & { pending: readonly PendingDelivery[]; tested: WebhookProgress },
  send: Send,
  hasTime: () => boolean,
): Promise<'worked' | 'gone' | WebhookProgress> {
  const { webhook, pending } = loaded;
  let progress = loaded.tested;
  if (isPaused(progress, now())) return progress;
  const wasDown = isDown(progress);
  progress = await withoutGivenUp(database, webhook.team_id, progress, now());
  const waiting = wasDown ? [...pending] : dueDeliveries(pending, progress, now());
  const isLogRead =
    pending.length < maxPending &&
    (wasDown
      ? !probeOf([...lanesOf(pending).values()])
          .flat()
          .some(isFresh)
      : waiting.length === 0);
  const { position } = progress;
  const isWanted = ({ type }: ServiceEvent) => isSubscribed(webhook, type);
  const page = isLogRead ? await readEvents(database, webhook.team_id, position, eventsPerRound, isWanted) : undefined;
  const known = new Set(pending.map(({ event }) => event.id));
  const fresh = (page?.events ?? [])
    .map((event, n) => ({ place: logPlace(page!.positions[n]!), event, attempts: 0, since: null, tried_at: null }))
    .filter(({ event }) => !known.has(event.id));
  const held = new Set(pending.map(({ event }) => laneOf(event)));
  const lanes = [...lanesOf([...waiting, ...fresh.filter(({ event }) => !held.has(laneOf(event)))]).values()];
  const sent = await sendLanes(wasDown ? probeOf(lanes) : lanes, { progress, send, now, hasTime });
  if ([...sent.results.values()].some(isGone)) return 'gone';
  const { remaining, ...changes } = outcomeOf({ pending, fresh, results: sent.results, wasDown }, now());
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
  return logPlace(first) > logPlace(position) ? { ...progress, position: first, given_up_until: time } : progress;
}

/** The deliveries of the lanes whose first one is due. */
function dueDeliveries(pending: readonly PendingDelivery[], progress: WebhookProgress, now: number): PendingDelivery[] {
  const due = [...lanesOf(pending).values()].filter(([first]) => isDue(first!, progress, now));
  return due.flat().slice(0, eventsPerRound);
}

/**
 * The event that a receiver that is down gets: the first one of the lane that was tried least, and of these the last,
 * because the receiver may refuse some events and accept others.
 */
function probeOf(lanes: readonly PendingDelivery[][]): PendingDelivery[][] {
  const firsts = lanes.map(([first]) => first!);
  const leastTried = firsts.reduce((least, each) => (each.attempts <= least.attempts ? each : least), firsts[0]!);
  return leastTried ? [[leastTried]] : [];
}

type LaneOptions = { progress: WebhookProgress; send: Send; now: () => number; hasTime: () => boolean };

/** Sends the lanes in parallel, and the events of a lane one after another until one is not received. */
async function sendLanes(lanes: readonly PendingDelivery[][], { progress, send, now, hasTime }: LaneOptions) {
  const results = new Map<PendingDelivery, AttemptResult>();
  let state = progress;
  let isOut = false;
  let slowest = 0;
  const queue = lanes.values();
  const work = async () => {
    for (const lane of queue) {
      for (const delivery of lane) {
        if (isOut || !hasTime()) return;
        const began = now();
        const attempt = await send(delivery.event);
        slowest = Math.max(slowest, now() - began);
        const result = resultOf(attempt);
        results.set(delivery, result);
        state = attempted(state, attempt, now());
        isOut ||= isGone(result) || isDown(state) || isPaused(state, now());
        if (!isReceived(result)) break;
      }
    }
  };
  await Promise.all(Array.from({ length: parallelLanes }, work));
  return { results, progress: results.size > 0 ? { ...state, is_slow: isSlowAttempt(slowest) } : state };
}

type Round = {
  pending: readonly PendingDelivery[];
  fresh: readonly PendingDelivery[];
  results: ReadonlyMap<PendingDelivery, AttemptResult>;
  wasDown: boolean;
};

/** What the results change, and what is pending after that. */
function outcomeOf(
  { pending, fresh, results, wasDown }: Round,
  now: number,
): PendingChanges & { remaining: PendingDelivery[] } {
  const isOut = (each: PendingDelivery) => {
    const result = results.get(each);
    return result !== undefined && isReceived(result);
  };
  const after = (each: PendingDelivery) => (results.has(each) ? failed(each, wasDown, now) : each);
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
