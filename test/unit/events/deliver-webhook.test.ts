import { describe, expect, test } from 'vitest';
import {
  contactEvent,
  events,
  hour,
  isSignedWith,
  minute,
  newReceiver,
  numberIn,
  numbersOf,
  sorted,
  upTo,
  webhookWorld,
} from '../../support/operations/webhooks.ts';
import { event } from '../../support/samples/events.ts';

describe('events', () => {
  test('are sent as Standard Webhooks: id, time, signature and body', async () => {
    const { subscribe, publish, deliver } = webhookWorld();
    const receiver = newReceiver();
    const { webhook, secret } = await subscribe(receiver);
    const published = event(1, { type: 'journey.completed', at: '2026-02-01T08:00:00.000000Z' });
    await publish([published]);
    expect(await deliver(webhook)).toEqual({ outcome: 'caught_up', received: 1, failed: 0 });
    const [request] = receiver.received;
    expect(JSON.parse(request!.body)).toEqual({
      type: 'journey.completed',
      timestamp: '2026-02-01T08:00:00.000000Z',
      data: published,
    });
    expect(request!.headers).toMatchObject({
      'webhook-id': published.id,
      'webhook-timestamp': String(Date.parse('2026-03-01T12:00:00Z') / 1000),
      'content-type': 'application/json',
      'user-agent': 'onboarding-webhooks/1.0',
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(isSignedWith(secret, request!)).toBe(true);
  });

  test('that were published before the webhook was made are not sent', async () => {
    const { subscribe, publish, deliver } = webhookWorld();
    const receiver = newReceiver();
    await publish(events(1, 5));
    const { webhook } = await subscribe(receiver);
    await publish(events(6, 1));
    await deliver(webhook);
    expect(numbersOf(receiver)).toEqual([6]);
  });

  test.each([
    [null, [1, 2, 3, 4]],
    [['journey.*'], [2, 3]],
    [
      ['journey.completed', 'batch.failed'],
      [3, 4],
    ],
    [['file.*'], []],
  ])('of the types %j are sent, others are not', async (types, expected) => {
    const { subscribe, publish, deliver, progress } = webhookWorld();
    const receiver = newReceiver();
    const { webhook } = await subscribe(receiver, types);
    await publish([
      contactEvent(1, 1),
      contactEvent(2, 2, { type: 'journey.created' }),
      contactEvent(3, 3, { type: 'journey.completed' }),
      event(4, { type: 'batch.failed', contact_id: undefined, batch_id: 'b' } as object),
    ]);
    await deliver(webhook);
    expect(sorted(numbersOf(receiver))).toEqual(expected);
    expect(await progress(webhook)).toMatchObject({ position: { seq: 2, index: 0 }, next_at: null });
  });

  test('of many contacts are sent in parallel, those of one contact one after another in their order', async () => {
    const { subscribe, publish, deliver } = webhookWorld();
    const open = new Set<number>();
    let most = 0;
    const receiver = newReceiver(async (received) => {
      const contact = JSON.parse(received.body).data.contact_id;
      expect(open.has(contact)).toBe(false);
      open.add(contact);
      most = Math.max(most, open.size);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open.delete(contact);
      return 204;
    });
    const { webhook } = await subscribe(receiver);
    const published = upTo(200).map((number) => contactEvent(number, number % 20));
    await publish(published);
    expect(await deliver(webhook)).toEqual({ outcome: 'caught_up', received: 200, failed: 0 });
    for (const contact of upTo(20)) {
      const own = numbersOf(receiver).filter((number) => number % 20 === contact % 20);
      expect(own).toEqual(sorted(own));
    }
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(16);
  });
});

describe('an event that is not received', () => {
  test.each([500, 400, 404, 301, 429])(
    '(status %s) is sent again within 30 seconds, with the same id',
    async (status) => {
      const { subscribe, publish, deliver, dependencies, progress, pending } = webhookWorld();
      const receiver = newReceiver((received) => (receiver.received.length === 1 && received ? status : 204));
      const { webhook } = await subscribe(receiver);
      await publish(events(1, 1));
      const began = dependencies.now();
      expect(await deliver(webhook)).toEqual({ outcome: 'caught_up', received: 1, failed: 1 });
      expect(dependencies.now() - began).toBeLessThanOrEqual(30_000);
      expect(numbersOf(receiver)).toEqual([1, 1]);
      expect(await pending(webhook)).toEqual([]);
      expect(await progress(webhook)).toMatchObject({ failures: 0, failing_since: null, next_at: null });
    },
  );

  test('is tried again after growing waits for three days, and kept as failed', async () => {
    const { subscribe, publish, deliverFor, dependencies, pending } = webhookWorld();
    const times: number[] = [];
    const receiver = newReceiver((received) => {
      if (numberIn(received) !== 1) return 204;
      times.push(dependencies.now());
      return 500;
    });
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 3));
    await deliverFor(webhook, 80 * hour);
    const waits = times.slice(1).map((time, n) => time - times[n]!);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(hour + 2 * minute);
    for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual((waits[n - 1] ?? 0) - minute);
    const period = times.at(-1)! - times[0]!;
    expect([period >= 72 * hour, period <= 74 * hour]).toEqual([true, true]);
    // The receiver got the others at once.
    expect(numbersOf(receiver).filter((number) => number !== 1)).toEqual([2, 3]);
    expect(await pending(webhook)).toEqual([]);
    const failed = [
      ...(dependencies.database as never as { items: Map<string, { sk: string; expires_at?: number }> }).items.values(),
    ].filter(({ sk }) => sk.startsWith('FAILED#'));
    expect(failed).toEqual([expect.objectContaining({ attempts: times.length })]);
    const kept = failed[0]!.expires_at! * 1000 - times.at(-1)!;
    expect(Math.abs(kept - 14 * 24 * hour)).toBeLessThan(2 * minute);
  });

  test('holds back the later events of its contact, not those of others', async () => {
    const { subscribe, publish, deliver, deliverFor, pending, pass } = webhookWorld();
    let isRefusing = true;
    const receiver = newReceiver((received) => (isRefusing && numberIn(received) === 1 ? 500 : 204));
    const { webhook } = await subscribe(receiver);
    await publish([contactEvent(1, 1), contactEvent(2, 2), contactEvent(3, 1), contactEvent(4, 2)]);
    await deliver(webhook);
    await publish([contactEvent(5, 1), contactEvent(6, 3)]);
    await deliverFor(webhook, 5 * minute);
    expect(numbersOf(receiver).filter((number) => number !== 1)).toEqual([2, 4, 6]);
    expect(await pending(webhook)).toEqual([1, 3, 5]);
    isRefusing = false;
    pass(hour);
    await deliver(webhook);
    expect(numbersOf(receiver).slice(-3)).toEqual([1, 3, 5]);
    expect(await pending(webhook)).toEqual([]);
  });

  test('because the receiver asks for a pause (Retry-After) is sent after it, and nothing before', async () => {
    const { subscribe, publish, deliver, deliverFor, dependencies } = webhookWorld();
    const times: number[] = [];
    const receiver = newReceiver(() => {
      times.push(dependencies.now());
      return times.length === 1 ? { status: 503, retry_after: '1800' } : 204;
    });
    const { webhook } = await subscribe(receiver);
    await publish([contactEvent(1, 1)]);
    await deliver(webhook);
    await publish([contactEvent(2, 2)]);
    await deliverFor(webhook, hour);
    expect(sorted(numbersOf(receiver).slice(1))).toEqual([1, 2]);
    const [first, ...others] = times;
    for (const time of others) {
      expect(time - first!).toBeGreaterThanOrEqual(1_800_000);
      expect(time - first!).toBeLessThan(1_800_000 + 2 * minute);
    }
  });
});
