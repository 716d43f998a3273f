import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { importLane, maxOpenChunks } from '../../../lib/domain/imports/chunk.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { queueClient } from '../../../lib/store/aws/aws-clients.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { loadImportState, saveState } from '../../../lib/store/imports/import-work.ts';
import { type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { orderCounterKey } from '../../../lib/store/table/keys.ts';
import { SqsWakeQueue } from '../../../lib/store/waiting-work/wake-queue.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';
import { openChunks, postBatch } from '../../support/operations/import-operations.ts';
import { Crash, dying, failingSends, ImportWorld, interrupted, minute, moments, record } from './import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});

const upload = (count: number, nickname: string) =>
  Array.from({ length: count }, (_, n) => record(`${n}`, { nickname }));
const ordersOpen = async () => (await openChunks(world.database, world.teamId)).map(({ order }) => order);

describe('an acceptance that dies', () => {
  test.each(moments)('%s any of its calls is either nothing, or the whole; the repeat makes it one', async (when) => {
    let accepted = 0;
    for (let call = 1; ; call++) {
      const { database, hasDied } = dying(world.database, call, when);
      const records = [record(`${call}`), record('all')];
      const first = await world.accept(call, records, world.dependencies({ database })).then(
        () => 'accepted',
        (error) => (error instanceof Crash ? 'died' : Promise.reject(error)),
      );
      expect(first).toBe(hasDied() ? 'died' : 'accepted');
      const { chunks } = await loadBatch(world.database, world.teamId, 'nightly');
      const isIn = chunks.some(({ index }) => index === call);
      const repeat = await world.accept(call, records);
      expect(repeat).toMatchObject({ duplicate: isIn, records: 2, ...(isIn ? { same_records: true } : {}) });
      accepted++;
      if (!hasDied()) break;
    }
    expect(accepted).toBeGreaterThan(3);
    expect(await ordersOpen()).toEqual(Array.from({ length: accepted }, (_, n) => n + 1));
    await world.drain();
    expect(await world.status()).toMatchObject({
      status: 'completed',
      chunks: { accepted, completed: accepted },
      records: { accepted: 2 * accepted, applied: accepted + 1, unchanged: accepted - 1 },
    });
  });

  test.each(moments)('%s any of its calls leaves an upload of many chunks whole, or nothing of it', async (when) => {
    for (let call = 1, died = true; died; call++) {
      const before = await ordersOpen();
      const { database, hasDied } = dying(world.database, call, when);
      await postBatch(world.dependencies({ database }), world.teamId, { records: upload(1100, 'x') }).catch(() => {});
      const added = (await ordersOpen()).slice(before.length);
      expect([0, 3]).toContain(added.length);
      died = hasDied();
      expect(added.length).toBe(died && added.length === 0 ? 0 : 3);
    }
    const orders = await ordersOpen();
    expect(orders).toEqual(orders.map((_, n) => n + 1));
    await world.work();
    expect(await ordersOpen()).toEqual([]);
  });
});

describe('a wake', () => {
  test('that fails changes nothing of the acceptance, and the repeat wakes again', async () => {
    const using = world.dependencies({ queue: failingSends(world.queue) });
    expect(await world.accept(0, [record('1')], using)).toMatchObject({ duplicate: false });
    expect(await world.drain()).toBe(0);
    expect(await world.accept(0, [record('1')])).toMatchObject({ duplicate: true, same_records: true });
    expect(await world.drain()).toBe(1);
    expect(await world.status()).toMatchObject({ status: 'completed', records: { accepted: 1, applied: 1 } });
  });

  test('that hangs while the pair is repeated, and then fails, loses nothing', async () => {
    await world.accept(0, [record('1', { nickname: 'backlog' })]);
    const sending = Promise.withResolvers<void>();
    const hanging = Promise.withResolvers<void>();
    const queue = {
      wake: () => {
        sending.resolve();
        return hanging.promise;
      },
      postpone: async () => {},
    };
    const first = world.accept(1, [record('1', { nickname: 'kept' })], world.dependencies({ queue }));
    await sending.promise;
    const repeat = await world.accept(1, [record('1', { nickname: 'kept' })]);
    expect(repeat).toMatchObject({ duplicate: true, same_records: true });
    hanging.reject(new Error('the queue is away'));
    expect(await first).toMatchObject({ duplicate: false });
    await world.drain();
    expect(await world.status()).toMatchObject({ status: 'completed', chunks: { accepted: 2, completed: 2 } });
    expect(await world.nicknames('1')).toEqual(['kept']);
  });

  test('of an upload of several chunks that fails leaves no part of it to be applied over a newer chunk', async () => {
    const unread = world.dependencies({ queue: failingSends(world.queue) });
    const older = [...upload(599, 'older'), record('A', { nickname: 'older' })];
    await postBatch(unread, world.teamId, { batch_id: 'nightly', records: older });
    await world.accept(0, [record('A', { nickname: 'newer' })]);
    expect(await world.drain()).toBe(1);
    expect(await world.nicknames('0', '598', 'A')).toEqual(['older', 'older', 'newer']);
    world.clock += minute;
    await world.work();
    expect(await world.nicknames('A')).toEqual(['newer']);
    expect(await world.status()).toMatchObject({ status: 'completed', chunks: { accepted: 3, completed: 3 } });
  });

  test('that the queue does not respond to is unavailable within about a second, and then lost', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/queue.fifo`;
    const lost: unknown[] = [];
    const client = queueClient({ endpoint: url, region: localRegion, credentials: localCredentials });
    const queue = new SqsWakeQueue(url, client);
    const from = performance.now();
    const using = world.dependencies({ queue, onLostWake: ({ team_id }) => lost.push(team_id) });
    expect(await world.accept(0, [record('1')], using)).toMatchObject({ duplicate: false });
    // The limit is a second. Without it, the attempts of the client take nine.
    expect(performance.now() - from).toBeLessThan(6000);
    expect(lost).toEqual([world.teamId]);
    await expect(queue.wake(importLane(world.teamId))).rejects.toBeInstanceOf(StoreUnavailable);
    silent.closeAllConnections();
    silent.close();
  });
});

describe('requests of one team at the same time', () => {
  test('are all accepted, under consecutive numbers', async () => {
    const pause = (round: number) =>
      new Promise<void>((resolve) => setTimeout(resolve, Math.random() * Math.min(4 * 2 ** round, 250)));
    const posts = Array.from({ length: 50 }, (_, n) =>
      n % 10 === 0
        ? postBatch(world.dependencies({ pause }), world.teamId, { batch_id: 'nightly', records: upload(501, `${n}`) })
        : world.accept(n, [record('1')], world.dependencies({ pause })),
    );
    expect((await Promise.all(posts)).filter(({ duplicate }) => duplicate)).toEqual([]);
    const open = await openChunks(world.database, world.teamId);
    expect(open.map(({ order }) => order)).toEqual(Array.from({ length: 55 }, (_, n) => n + 1));
    // The parts of a request without chunk_index stay together.
    const uploads = open.filter(({ claim }) => claim.startsWith('UPLOAD#'));
    for (const part of uploads.filter(({ index }) => index === 0)) {
      expect(uploads.find(({ order }) => order === part.order + 1)).toMatchObject({ index: 1 });
    }
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'completed', chunks: { accepted: 55, completed: 55 } });
  });

  test('never get one number, though the first was worked before the second is written', async () => {
    await world.accept(2, [record('1')]);
    await world.work();
    const meanwhile = async () => {
      await world.accept(1, [record('1', { nickname: 'first' })]);
      await world.work();
    };
    const database = interrupted(world.database, 'transact', meanwhile);
    await world.accept(0, [record('1', { nickname: 'second' })], world.dependencies({ database }));
    expect(await ordersOpen()).toEqual([3]);
    await world.work();
    expect(await world.nicknames('1')).toEqual(['second']);
  });

  test('never count against the work: neither side loses a race to the other', async () => {
    await world.accept(0, [record('1')]);
    const database = interrupted(world.database, 'transact', async () => {
      await world.accept(1, [record('2')]);
    });
    const transactions: boolean[] = [];
    const counted: Database = {
      ...database,
      transact: async (writes) => {
        const committed = await database.transact(writes);
        transactions.push(committed);
        return committed;
      },
    };
    await world.work(world.dependencies({ database: counted }));
    expect(transactions).not.toContain(false);
  });
});

describe('the cap on open chunks', () => {
  /** Sets the numbers of accepted and closed chunks. */
  async function preset(accepted: number, left: number) {
    const key = orderCounterKey(world.teamId);
    await world.database.write([{ kind: 'update', key, set: { last_order: accepted, left_seen: 0 }, expect: {} }]);
    const state = await loadImportState(world.database, world.teamId);
    const active_at = timestamp(world.clock);
    await saveState(world.database, world.teamId, state, { ...state, begun: left, left, active_at });
  }

  beforeEach(async () => {
    await world.accept(0, [record('1')]);
    await world.work();
  });

  test('counts every chunk of an upload', async () => {
    await preset(maxOpenChunks - 2, 0);
    const three = { batch_id: 'nightly', records: upload(1001, 'x') };
    await expect(postBatch(world.dependencies(), world.teamId, three)).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await preset(maxOpenChunks - 3, 0);
    expect(await postBatch(world.dependencies(), world.teamId, three)).toMatchObject({ records: 1001 });
  });

  test('does not keep a repeat from being recognised', async () => {
    await preset(maxOpenChunks, 0);
    await expect(world.accept(1, [record('2')])).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await world.accept(0, [record('1')])).toMatchObject({ duplicate: true, same_records: true });
  });
});
