import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../../lib/domain/events/webhook.ts';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { wakeWebhooks, webhooksThatWait } from '../../../lib/operations/events/wake-webhooks.ts';
import { listShownWebhooks } from '../../../lib/operations/events/webhooks.ts';
import { logHead } from '../../../lib/store/events/event-log.ts';
import { deleteWebhook } from '../../../lib/store/events/webhooks.ts';
import { bound, type Database, type Item, type Write } from '../../../lib/store/table/database.ts';
import { eventPackKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import {
  contactEvent,
  day,
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
import { event, teamId } from '../../support/samples/events.ts';

const idOf = (number: number) => `11111111-1111-5111-8111-${String(number).padStart(12, '0')}`;

describe('sending again', () => {
  test('an event that was received: it alone, with its id', async () => {
    const { subscribe, publish, deliver, redeliverEvent } = webhookWorld();
    const receiver = newReceiver();
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 300));
    await deliver(webhook);
    receiver.received.length = 0;
    expect(await redeliverEvent(webhook, idOf(7))).toBe(true);
    await deliver(webhook);
    expect(numbersOf(receiver)).toEqual([7]);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(idOf(7));
    expect(await redeliverEvent(webhook, idOf(301))).toBe(false);
  });

  test('an event that was given up: it is tried for three days again, and no longer listed', async () => {
    const database = new ModelDatabase();
    const { subscribe, publish, deliver, deliverFor, redeliverEvent } = webhookWorld(database);
    let isRefusing = true;
    const receiver = newReceiver((webhook) => (isRefusing && numberIn(webhook) === 1 ? 500 : 204));
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 2));
    await deliverFor(webhook, 75 * hour, 20 * minute);
    const failed = () => [...database.items.values()].filter(({ sk }) => sk.startsWith('FAILED#')).length;
    expect(failed()).toBe(1);
    await redeliverEvent(webhook, idOf(1));
    expect(failed()).toBe(0);
    const before = receiver.received.length;
    await deliverFor(webhook, hour, 20 * minute);
    expect(receiver.received.length - before).toBeGreaterThan(2);
    isRefusing = false;
    await deliverFor(webhook, 2 * hour, 20 * minute);
    const last = receiver.received.length;
    await deliver(webhook);
    expect([numbersOf(receiver).at(-1), receiver.received.length]).toEqual([1, last]);
  });

  test.each<[string, (database: Database, deleted: readonly Write[], retry: Item) => Promise<unknown>]>([
    [
      'another call deletes one of its events each time',
      async (database, [first, second]) => first && second && database.transact([first]),
    ],
    [
      'a turn adds an event to those that wait',
      async (database, deleted, retry) =>
        deleted.length === 0 && database.write([{ kind: 'insert', item: { ...retry, sk: `${retry.sk}0` } }]),
    ],
  ])('a webhook is deleted with all its events although %s', async (_, meanwhile) => {
    const database = new ModelDatabase();
    const { subscribe, publish, deliver } = webhookWorld(database);
    const { webhook } = await subscribe(newReceiver(() => 500));
    await publish(events(1, 5));
    await deliver(webhook);
    const left = () => [...database.items.values()].filter(({ pk, sk }) => `${pk} ${sk}`.includes(webhook.webhook_id));
    const retry = left().find(({ sk }) => sk.startsWith('RETRY#'))!;
    const transact: Database['transact'] = async (writes) => {
      await meanwhile(
        database,
        writes.filter((write) => write.kind === 'delete' && write.key.sk.startsWith('RETRY#')),
        retry,
      );
      return database.transact(writes);
    };
    expect(await deleteWebhook({ ...bound(database), transact }, webhook)).toBe(true);
    expect(left()).toEqual([]);
  });

  test('very many events that end their three days at once are given up, and go with their webhook', async () => {
    const database = new ModelDatabase();
    const { subscribe, publish, deliver, failed, pass } = webhookWorld(database);
    let attempts = 0;
    const { webhook } = await subscribe(newReceiver(() => (attempts++ % 5 === 4 ? 204 : 500)));
    await publish(events(1, 550));
    await deliver(webhook);
    pass(73 * hour);
    await deliver(webhook);
    expect((await failed(webhook)).length).toBeGreaterThan(60);
    const left = () => [...database.items.values()].filter(({ pk }) => pk.includes(webhook.webhook_id)).length;
    expect(left()).toBeGreaterThan(100);
    await deleteWebhook(database, webhook);
    expect(left()).toBe(0);
  });

  test('an event that is not in the time that is searched is not found', async () => {
    const { subscribe, publish, deliver, redeliverEvent, pass } = webhookWorld();
    const { webhook } = await subscribe(newReceiver());
    await publish(events(1, 1));
    await deliver(webhook);
    pass(day);
    await publish(events(2, 1));
    expect(await redeliverEvent(webhook, idOf(1), '2026-03-02T00:00:00.000000Z')).toBe(false);
    expect(await redeliverEvent(webhook, idOf(1), '2026-03-01T00:00:00.000000Z')).toBe(true);
  });

  test('all events since a time, in their order', async () => {
    const { subscribe, publish, deliver, redeliverSince, pass } = webhookWorld();
    const receiver = newReceiver();
    const { webhook } = await subscribe(receiver, ['contact.*']);
    await publish(events(1, 10));
    pass(hour);
    await publish(events(11, 10));
    await deliver(webhook);
    receiver.received.length = 0;
    await redeliverSince(webhook, '2026-03-01T12:30:00.000000Z');
    await deliver(webhook);
    expect(sorted(numbersOf(receiver))).toEqual(upTo(20).slice(10));
    await redeliverSince(webhook, '2026-03-01T00:00:00.000000Z');
    await deliver(webhook);
    expect(sorted(numbersOf(receiver).slice(10))).toEqual(upTo(20));
  });

  test('only events of the types of the webhook, and since it was made', async () => {
    const { subscribe, publish, deliver, redeliverEvent, redeliverSince, pass } = webhookWorld();
    const receiver = newReceiver();
    await publish([event(1, { type: 'contact.created' }), event(2, { type: 'journey.created' })]);
    pass(minute);
    const { webhook } = await subscribe(receiver, ['contact.*']);
    await publish([event(3, { type: 'contact.created' }), event(4, { type: 'journey.created' })]);
    await deliver(webhook);
    const found = [1, 2, 3, 4].map((number) => redeliverEvent(webhook, idOf(number)));
    expect(await Promise.all(found)).toEqual([false, false, true, false]);
    await deliver(webhook);
    await redeliverSince(webhook, '2026-03-01T00:00:00.000000Z');
    await deliver(webhook);
    expect(numbersOf(receiver)).toEqual([3, 3, 3]);
  });

  test('events since a time skips none that was not sent yet, and those that were given up are no longer listed', async () => {
    const { subscribe, publish, deliver, deliverFor, redeliverSince, failed, pass } = webhookWorld();
    const receiver = newReceiver((webhook) => (numberIn(webhook) < 3 ? 500 : 204));
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 1));
    pass(minute);
    await publish(events(2, 2));
    await deliverFor(webhook, 75 * hour, 20 * minute);
    await publish(events(4, 1));
    pass(hour);
    await redeliverSince(webhook, '2026-03-04T15:30:00.000000Z');
    expect(await failed(webhook)).toEqual([2, 1]);
    await deliver(webhook);
    expect(numbersOf(receiver)).toContain(4);
    await redeliverSince(webhook, '2026-03-01T12:01:00.000000Z');
    expect(await failed(webhook)).toEqual([1]);
    receiver.received.length = 0;
    await deliver(webhook);
    expect(sorted(new Set(numbersOf(receiver)))).toEqual([2, 3, 4]);
  });

  test('is at once, also if the receiver has asked for no attempt, and a test does not wait for the lane of a slow one', async () => {
    const { subscribe, publish, deliver, redeliverEvent, test: sendTest, pass } = webhookWorld();
    let attempt: Attempt = { status: 503, retry_after: '3000' };
    const receiver = newReceiver(() => {
      pass(3000);
      return attempt;
    });
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 1));
    await deliver(webhook);
    attempt = 204;
    expect((await sendTest(webhook)).result).toBe(204);
    receiver.received.length = 0;
    await redeliverEvent(webhook, idOf(1));
    let looks = 0;
    expect(await deliver(webhook, {}, () => looks++ < 10)).toMatchObject({ received: 1 });
    expect(numbersOf(receiver)).toEqual([1]);
  });

  test('all events, while some wait for another attempt, which are counted once', async () => {
    const { subscribe, publish, deliver, redeliverSince, backlog } = webhookWorld();
    const receiver = newReceiver(() => 500);
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 3));
    await deliver(webhook, {}, () => receiver.received.length === 0);
    await redeliverSince(webhook, '2026-03-01T00:00:00.000000Z');
    await publish(events(4, 2));
    expect(await backlog(webhook)).toEqual({ waiting: 3, unread: 2 });
  });

  test('while the function is at work loses nothing', async () => {
    const { subscribe, publish, deliver, redeliverSince } = webhookWorld();
    let again: Promise<void> | undefined;
    const receiver = newReceiver(() => {
      if (receiver.received.length === 60) again = redeliverSince(webhook, '2026-03-01T00:00:00.000000Z');
      return 204;
    });
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 200));
    await deliver(webhook);
    await again;
    await deliver(webhook);
    expect(sorted(new Set(numbersOf(receiver)))).toEqual(upTo(200));
    expect(numbersOf(receiver).length).toBeGreaterThanOrEqual(245);
  });
});

test('webhooks are listed oldest first, whatever their ids are', async () => {
  const { subscribe, dependencies, pass } = webhookWorld();
  const made: string[] = [];
  for (let count = 0; count < 8; count++) {
    made.push((await subscribe(newReceiver())).webhook.webhook_id);
    pass(minute);
  }
  expect((await listShownWebhooks(dependencies, teamId)).map(({ webhook_id }) => webhook_id)).toEqual(made);
});

test('a secret that is rotated between two requests signs the second beside the old one', async () => {
  const { subscribe, publish, deliver, rotate, pass } = webhookWorld();
  const receiver = newReceiver();
  const { webhook, secret } = await subscribe(receiver);
  await publish(events(1, 1));
  await deliver(webhook);
  const rotated = await rotate(webhook);
  for (const number of [2, 3]) {
    await publish(events(number, 1));
    await deliver(webhook);
    pass(25 * hour);
  }
  const signedWith = (given: string) => receiver.received.map((request) => isSignedWith(given, request));
  expect(signedWith(secret)).toEqual([true, true, false]);
  expect(signedWith(rotated.secret)).toEqual([false, true, true]);
});

test('a secret is rotated once, also if the answer of the table is lost', async () => {
  const database = new ModelDatabase();
  const { subscribe, publish, deliver, rotate } = webhookWorld({
    ...bound(database),
    write: async (writes) => {
      const written = await database.write(writes);
      return writes.some((write) => write.kind === 'update' && 'secrets' in write.set) ? [false] : written;
    },
  });
  const receiver = newReceiver();
  const { webhook, secret } = await subscribe(receiver);
  const rotated = await rotate(webhook);
  await publish(events(1, 1));
  await deliver(webhook);
  expect([secret, rotated.secret].map((each) => isSignedWith(each, receiver.received[0]!))).toEqual([true, true]);
});

test('of two rotations at once, both secrets sign', async () => {
  const { subscribe, publish, deliver, rotate } = webhookWorld();
  const receiver = newReceiver();
  const { webhook } = await subscribe(receiver);
  const rotated = await Promise.all([rotate(webhook), rotate(webhook)]);
  await publish(events(1, 1));
  await deliver(webhook);
  expect(rotated.map(({ secret }) => isSignedWith(secret, receiver.received[0]!))).toEqual([true, true]);
});

describe('a wake', () => {
  const waking = (world: ReturnType<typeof webhookWorld>) => {
    const woken: string[] = [];
    const { database } = world.dependencies;
    return { woken, dependencies: { database, wake: async ({ id }: Lane) => woken.push(id!) } };
  };

  test('is sent for each webhook of the team that had read the log to its end', async () => {
    const world = webhookWorld();
    const { subscribe, publish, deliver, dependencies } = world;
    const [one, other] = [await subscribe(newReceiver()), await subscribe(newReceiver())];
    const { woken, dependencies: wakes } = waking(world);
    const publishAndWake = async (first: number) => {
      const before = await logHead(dependencies.database, teamId);
      await publish(events(first, 1));
      await wakeWebhooks(wakes, teamId, before);
    };
    await publishAndWake(1);
    expect(woken.splice(0).sort()).toEqual([one.webhook.webhook_id, other.webhook.webhook_id].sort());
    // Neither has begun: their first wake is still in the queue.
    await publishAndWake(2);
    expect(woken.splice(0)).toEqual([]);
    await deliver(one.webhook);
    await publishAndWake(3);
    expect(woken.splice(0)).toEqual([one.webhook.webhook_id]);
    await deliver(other.webhook);
    await publishAndWake(4);
    expect(woken.splice(0)).toEqual([other.webhook.webhook_id]);
  });
});

describe('a webhook waits', () => {
  const standing = ({ dependencies }: ReturnType<typeof webhookWorld>) => webhooksThatWait(dependencies, teamId);

  test('from when its next event was published, and not once it has read the log', async () => {
    const world = webhookWorld();
    const { webhook } = await world.subscribe(newReceiver());
    expect(await standing(world)).toEqual({ lanes: [], webhooks_failing: 0 });
    const published = world.dependencies.now();
    await world.publish(events(1, 3));
    world.pass(minute);
    const lane = { work: 'webhooks', team_id: teamId, id: webhook.webhook_id };
    const waiting = { lane, since: published, wakeAt: published + 10_000 };
    expect(await standing(world)).toEqual({ lanes: [waiting], webhooks_failing: 0 });
    await world.deliver(webhook);
    expect(await standing(world)).toEqual({ lanes: [], webhooks_failing: 0 });
  });

  test('when another attempt is due, and not before; its age is not that of a lane at fault', async () => {
    const world = webhookWorld();
    const { webhook } = await world.subscribe(newReceiver(() => 500));
    await world.publish(events(1, 200));
    await world.deliver(webhook);
    expect(await standing(world)).toEqual({ lanes: [], webhooks_failing: 0 });
    world.pass(hour / 2);
    const due = Date.parse((await world.progress(webhook))!.next_at!);
    expect(await standing(world)).toMatchObject({ lanes: [{ since: undefined, wakeAt: due }], webhooks_failing: 0 });
    world.pass(hour / 2);
    expect(await standing(world)).toMatchObject({ lanes: [{ wakeAt: due }], webhooks_failing: 1 });
  });

  test('two minutes after its last attempt if it is slow: more wakes would only fill its message group', async () => {
    const world = webhookWorld();
    const { subscribe, publish, deliver, pass, progress } = world;
    const slow = newReceiver(() => {
      pass(3000);
      return 204;
    });
    const { webhook } = await subscribe(slow);
    await publish(events(1, 1));
    await deliver(webhook);
    const { is_slow, last_attempt } = (await progress(webhook))!;
    await publish(events(2, 1));
    const wakeAt = Date.parse(last_attempt!.at) + 2 * minute;
    expect([is_slow, await standing(world)]).toMatchObject([true, { lanes: [{ since: undefined, wakeAt }] }]);
  });
});

/** Says which events were received first, in this order, and expects those of each contact in the order of the log. */
function expectOrder(numbers: readonly number[], contacts: number) {
  const first = [...new Set(numbers)];
  for (const contact of upTo(contacts)) {
    const own = first.filter((number) => number % contacts === contact % contacts);
    expect(own).toEqual([...own].sort((a, b) => a - b));
  }
}

describe('a receiver that is away', () => {
  test('refuses connections: the webhook fails and waits', async () => {
    const { subscribe, publish, deliver, progress } = webhookWorld();
    const receiver = newReceiver();
    const { webhook } = await subscribe(receiver);
    receiver.stop();
    await publish(events(1, 100));
    expect(await deliver(webhook)).toMatchObject({ outcome: 'caught_up', received: 0 });
    const after = await progress(webhook);
    expect(after).toMatchObject({ failing_since: '2026-03-01T12:00:00.000000Z' });
    expect(after?.last_attempt?.result).toBe('connection_failed');
  });

  test('gets few attempts, and everything when it is back, of each contact in order', async () => {
    const { subscribe, publish, deliverFor, deliver, progress, pending } = webhookWorld();
    let isAway = true;
    const received: number[] = [];
    const receiver = newReceiver((webhook) => {
      if (isAway) return 503;
      received.push(numberIn(webhook));
      return 204;
    });
    const { webhook } = await subscribe(receiver);
    for (const batch of upTo(12)) {
      await publish(upTo(50).map((n) => contactEvent((batch - 1) * 50 + n, n % 10)));
      await deliverFor(webhook, 30 * minute);
    }
    expect(receiver.received.length).toBeLessThan(200);
    expect(await progress(webhook)).toMatchObject({ failing_since: '2026-03-01T12:00:00.000000Z' });
    isAway = false;
    await deliverFor(webhook, 61 * minute);
    expect(sorted(new Set(received))).toEqual(upTo(600));
    expectOrder(received, 10);
    expect(await progress(webhook)).toMatchObject({ failures: 0, failing_since: null, next_at: null });
    expect(await pending(webhook)).toEqual([]);
    expect(await deliver(webhook)).toEqual({ outcome: 'caught_up', received: 0, failed: 0 });
  });

  test('does not answer: attempts end after the time limit, and later there is one at a time', async () => {
    const { subscribe, publish, deliver, pass } = webhookWorld();
    const receiver = newReceiver(() => undefined);
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 60));
    await deliver(webhook);
    const before = receiver.received.length;
    pass(hour);
    const report = await deliver(webhook);
    expect(report).toEqual({ outcome: 'caught_up', received: 0, failed: 1 });
    expect(receiver.received.length - before).toBe(1);
  });

  test('is probed with one event at growing waits of five minutes at most, and then gets the rest at once', async () => {
    const { subscribe, publish, deliver, deliverFor, dependencies } = webhookWorld();
    const times: number[] = [];
    let isAway = true;
    const receiver = newReceiver(() => {
      times.push(dependencies.now());
      return isAway ? 503 : 204;
    });
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 40));
    await deliver(webhook);
    const first = times.filter((time) => time === times[0]).length;
    await deliverFor(webhook, hour);
    const waits = times.slice(first).map((time, n) => time - times[first + n - 1]!);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5 * minute);
    for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual((waits[n - 1] ?? 1) - minute);
    expect(waits.every((wait) => wait > 0)).toBe(true);
    isAway = false;
    times.length = 0;
    receiver.received.length = 0;
    await deliverFor(webhook, 5 * minute);
    expect(sorted(numbersOf(receiver))).toEqual(upTo(40));
    expect(times.at(-1)! - times[0]!).toBe(0);
  });

  test('for more than three days misses what was published before that, until it is sent again', async () => {
    const { subscribe, publish, deliverFor, progress, redeliverSince, deliver } = webhookWorld();
    let isAway = true;
    const received: number[] = [];
    const receiver = newReceiver((webhook) => {
      if (isAway) return 500;
      received.push(numberIn(webhook));
      return 200;
    });
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 2000));
    await deliverFor(webhook, 4 * day, 2 * hour);
    await publish(events(2001, 5));
    isAway = false;
    await deliverFor(webhook, 2 * hour);
    expect(received).toEqual(expect.arrayContaining([2001, 2002, 2003, 2004, 2005]));
    expect(received).not.toContain(1000);
    const { given_up_until } = (await progress(webhook))!;
    expect(given_up_until! > '2026-03-01T12:00:00.000000Z').toBe(true);
    await redeliverSince(webhook, '2026-03-01T00:00:00.000000Z');
    await deliver(webhook);
    expect(sorted(new Set(received))).toEqual(upTo(2005));
    expect(await progress(webhook)).toMatchObject({ given_up_until: null });
  });

  test('for some events only does not keep the others waiting', async () => {
    const { subscribe, publish, deliverFor, pending } = webhookWorld();
    const received: number[] = [];
    const receiver = newReceiver((webhook) => {
      if (numberIn(webhook) <= 60) return 500;
      received.push(numberIn(webhook));
      return 204;
    });
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 60));
    await publish(events(61, 200));
    await deliverFor(webhook, 3 * hour);
    expect(sorted(new Set(received))).toEqual(upTo(260).slice(60));
    expect(await pending(webhook)).toEqual(upTo(60));
  });
});

describe('a receiver', () => {
  test('that does not answer delays no other', async () => {
    const { subscribe, publish, deliver } = webhookWorld();
    const receiver = newReceiver();
    const [slow, fast] = [await subscribe(newReceiver()), await subscribe(receiver)];
    await publish(events(1, 100));
    const answer = Promise.withResolvers<'timeout'>();
    let isSlowDone = false;
    const slowly = deliver(slow.webhook, { send: () => answer.promise }).then(() => {
      isSlowDone = true;
    });
    expect(await deliver(fast.webhook)).toEqual({ outcome: 'caught_up', received: 100, failed: 0 });
    expect(isSlowDone).toBe(false);
    answer.resolve('timeout');
    await slowly;
  });

  test('that answers 410 ends with everything, is kept as ended with the cause, and gets nothing more', async () => {
    const database = new ModelDatabase();
    const { subscribe, publish, deliver, dependencies, pass } = webhookWorld(database);
    let status = 500;
    const receiver = newReceiver(() => status);
    const [{ webhook }, other] = [await subscribe(receiver), await subscribe(newReceiver())];
    await publish(events(1, 20));
    await deliver(webhook);
    status = 410;
    expect(await deliver(webhook, { now: () => Date.parse('2026-03-01T14:00:00Z') })).toMatchObject({
      outcome: 'gone',
    });
    const left = [...database.items.values()].filter((item) => JSON.stringify(item).includes(webhook.webhook_id));
    const cause = 'the receiver responded 410';
    expect(left.map(({ pk, sk, outcome }) => [pk.slice(0, 5), sk.slice(0, 5), outcome]).sort()).toEqual([
      ['AUDIT', '2026-', cause],
      [`T#${teamId.slice(0, 3)}`, 'ENDED', undefined],
    ]);
    const listed = () => listShownWebhooks(dependencies, teamId);
    const ended = { webhook_id: webhook.webhook_id, state: 'ended', cause, ended_at: '2026-03-01T14:00:00.000000Z' };
    expect(await listed()).toEqual(expect.arrayContaining([expect.objectContaining(ended)]));
    pass(31 * day);
    expect(await listed()).toMatchObject([{ webhook_id: other.webhook.webhook_id }]);
    expect([...database.items.keys()].some((key) => key.includes(other.webhook.webhook_id))).toBe(true);
    const before = receiver.received.length;
    expect(await deliver(webhook)).toEqual({ outcome: 'removed', received: 0, failed: 0 });
    expect(receiver.received.length).toBe(before);
  });
});

describe('a function that ends', () => {
  test('between the requests and the stored progress repeats them with the same ids', async () => {
    const model = new ModelDatabase();
    const faults: { write?: Error } = {};
    const database: Database = {
      ...bound(model),
      write: async (writes) => {
        if (faults.write) throw faults.write;
        return model.write(writes);
      },
    };
    const { subscribe, publish, deliver } = webhookWorld(database);
    const receiver = newReceiver();
    const { webhook } = await subscribe(receiver);
    await publish(events(1, 30));
    faults.write = new Error('killed');
    await expect(deliver(webhook)).rejects.toThrow('killed');
    delete faults.write;
    await deliver(webhook);
    expect(numbersOf(receiver)).toHaveLength(60);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(sorted(new Set(numbersOf(receiver)))).toEqual(upTo(30));
    expect(new Set(ids).size).toBe(30);
  });

  test('because its time is over continues where it was', async () => {
    const { subscribe, publish, deliver } = webhookWorld();
    const receiver = newReceiver();
    const { webhook } = await subscribe(receiver);
    await publish(upTo(300).map((number) => contactEvent(number, number % 7)));
    let rounds = 0;
    for (let outcome = 'more'; outcome === 'more'; rounds++) {
      const end = receiver.received.length + 20;
      ({ outcome } = await deliver(webhook, {}, () => receiver.received.length < end));
    }
    expect(rounds).toBeGreaterThan(3);
    expect(sorted(new Set(numbersOf(receiver)))).toEqual(upTo(300));
    expectOrder(numbersOf(receiver), 7);
  });

  test.each([
    ['lost', true],
    ['throttled', false],
  ])('when a response of the table is %s, nothing is lost', async (_, happens) => {
    const model = new ModelDatabase();
    let calls = 0;
    const flaky =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args) => {
        if (calls++ % 4 !== 3) return call(...args);
        if (happens) await call(...args);
        throw new Error('unavailable');
      };
    const database: Database = {
      ...bound(model),
      write: flaky(bound(model).write),
      transact: flaky(bound(model).transact),
    };
    const { subscribe, publish, deliver, pass } = webhookWorld(model);
    let requests = 0;
    const receiver = newReceiver(() => (requests++ % 5 === 0 ? 500 : 204));
    const { webhook } = await subscribe(receiver);
    await publish(upTo(150).map((number) => contactEvent(number, number % 9)));
    for (let runs = 0; runs < 60; runs++) {
      await deliver(webhook, { database }).catch(() => {});
      pass(minute);
    }
    await deliver(webhook);
    expect(sorted(new Set(numbersOf(receiver)))).toEqual(upTo(150));
  });
});

test('events that expired before anything was sent are passed over, and the time is kept', async () => {
  const database = new ModelDatabase();
  const { subscribe, publish, pass, deliver, progress } = webhookWorld(database);
  const receiver = newReceiver();
  const { webhook } = await subscribe(receiver);
  await publish(events(1, 1));
  pass(31 * day);
  await database.transact([{ kind: 'delete', key: eventPackKey(teamId, 1), expect: {} }]);
  await publish(events(2, 1));
  pass(2 * minute);
  await deliver(webhook);
  expect(numbersOf(receiver)).toEqual([2]);
  expect((await progress(webhook))!.given_up_until).toMatch(/^2026-03-03T/);
});

test('two workers at once lose nothing', async () => {
  const { subscribe, publish, deliver, progress } = webhookWorld();
  const receiver = newReceiver(async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return 204;
  });
  const { webhook } = await subscribe(receiver);
  await publish(events(1, 150));
  await Promise.all([deliver(webhook), deliver(webhook), publish(events(151, 50)).then(() => deliver(webhook))]);
  await deliver(webhook);
  expect(sorted(new Set(numbersOf(receiver)))).toEqual(upTo(200));
  expect(await progress(webhook)).toMatchObject({ position: { seq: 3, index: 0 }, next_at: null });
});
