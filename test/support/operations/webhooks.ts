import { Webhook as Verifier } from 'standardwebhooks';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { type Attempt, type Webhook, webhookLane } from '../../../lib/domain/events/webhook.ts';
import { groupOf, type Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { deliverWebhook } from '../../../lib/operations/events/deliver-webhook.ts';
import {
  createWebhook,
  redeliverEvent,
  redeliverSince,
  rotateWebhook,
  showWebhook,
  testWebhook,
} from '../../../lib/operations/events/webhooks.ts';
import { loadWaiting, loadWebhook } from '../../../lib/store/events/webhooks.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../models/model-database.ts';
import { append, event, numberOf, teamId } from '../samples/events.ts';
import { serviceOn } from './operations.ts';

const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** An event of the contact with this number. */
export const contactEvent = (number: number, contact: number, fields: Partial<ServiceEvent> = {}): ServiceEvent =>
  event(number, { contact_id: `22222222-2222-5222-8222-${String(contact).padStart(12, '0')}`, ...fields });
/** Events of as many contacts. */
export const events = (from: number, count: number): ServiceEvent[] =>
  Array.from({ length: count }, (_, n) => contactEvent(from + n, from + n));

/** The numbers from 1 to this one. */
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
export const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

type Received = { headers: Record<string, string>; body: string };
/** The status of the response; without one, the time limit ends the attempt. */
type Answer = (received: Received) => Attempt | undefined | Promise<Attempt | undefined>;
export type Receiver = { url: string; received: Received[]; stop(): void };

const receivers = new Map<string, Receiver & { answer: Answer }>();
let urls = 0;

/** A receiver of webhooks in this process; `test/unit/events/sender.test.ts` has those that are reached by HTTP. */
export function newReceiver(answer: Answer = () => 204): Receiver {
  const url = `http://127.0.0.1/hook/${urls++}`;
  const receiver = { url, received: [], answer, stop: () => void receivers.delete(url) };
  receivers.set(url, receiver);
  return receiver;
}

async function send({ url, ...sent }: Received & { url: string }): Promise<Attempt> {
  await new Promise(setImmediate);
  const receiver = receivers.get(url);
  if (!receiver) return 'connection_failed';
  receiver.received.push(sent);
  return (await receiver.answer(sent)) ?? 'timeout';
}

/** A team with a log, and webhooks that are delivered when the test says so, with the clock of the test. */
export function webhookWorld(database: Database = new ModelDatabase()) {
  const world = { now: Date.parse('2026-03-01T12:00:00Z') };
  const woken: string[] = [];
  const wait = async (milliseconds: number) => {
    world.now += milliseconds;
  };
  const dependencies = {
    ...serviceOn(database, { now: () => world.now, pause: async () => {}, wait }),
    send,
    wake: async ({ id }: Lane) => void woken.push(id!),
  };
  /** As the function does: for the waits of the first minute, the message of the queue comes again every few seconds. */
  const deliver = async (
    webhook: Webhook & { group?: string },
    changed: Partial<typeof dependencies> = {},
    hasTime = () => true,
  ) => {
    const total = { received: 0, failed: 0 };
    for (let step = 0; ; step++) {
      const report = await deliverWebhook({ ...dependencies, ...changed }, webhook, hasTime);
      total.received += report.received;
      total.failed += report.failed;
      const wait = report.next_at === null ? Number.POSITIVE_INFINITY : Date.parse(report.next_at) - world.now;
      const isOver = report.outcome !== 'caught_up' || wait > minute || step === 20;
      if (isOver) return { outcome: report.outcome, ...total };
      world.now += Math.min(wait, 5 * second);
    }
  };
  const show = async ({ webhook_id }: Webhook) =>
    showWebhook(database, (await loadWebhook(database, teamId, webhook_id))!);
  return {
    ...{ dependencies, woken, deliver },
    subscribe: (receiver: Pick<Receiver, 'url'>, types: string[] | null = null) =>
      createWebhook(dependencies, { team_id: teamId, url: receiver.url, types }, undefined),
    publish: (published: readonly ServiceEvent[]) => append(database, published, world.now),
    pass: (milliseconds: number) => {
      world.now += milliseconds;
    },
    /** Delivers every minute for this time, as the schedule does, or less often. */
    deliverFor: async (webhook: Webhook, milliseconds: number, every = minute) => {
      for (const end = world.now + milliseconds; world.now < end; world.now += every) await deliver(webhook);
    },
    progress: async ({ webhook_id }: Webhook) => (await loadWebhook(database, teamId, webhook_id))?.progress,
    pending: async (webhook: Webhook) =>
      (await loadWaiting(database, webhook)).pending.map((each) => numberOf(each.event)),
    backlog: async (webhook: Webhook) => (await show(webhook)).backlog,
    failed: async (webhook: Webhook) => (await show(webhook)).failed.map(({ event }) => numberOf(event)),
    rotate: ({ webhook_id }: Webhook) => rotateWebhook(dependencies, webhook_id),
    redeliverSince: (webhook: Webhook, since: string) => redeliverSince(dependencies, webhook, since),
    redeliverEvent: (webhook: Webhook, id: string, since?: string) => redeliverEvent(dependencies, webhook, id, since),
    /** Sends a test while the function that delivers is at work. */
    test: async (webhook: Webhook) => {
      const wake = async () => void (await deliver({ ...webhook, group: groupOf(webhookLane(webhook)) }));
      return testWebhook({ ...dependencies, wake }, webhook);
    },
  };
}

/** The numbers of the events that the receiver got, in their order. */
export const numbersOf = ({ received }: Receiver): number[] =>
  received.map(({ body }) => numberOf((JSON.parse(body) as { data: ServiceEvent }).data));

export const numberIn = ({ body }: { body: string }): number => numberOf(JSON.parse(body).data);

/** True if Standard Webhooks' own library accepts the request. The clock of the test is not that of the library. */
export function isSignedWith(secret: string, { headers, body }: Receiver['received'][number]): boolean {
  const id = headers['webhook-id'] ?? '';
  const time = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  return signatures.includes(new Verifier(secret).sign(id, time, body));
}
