import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { discardFailed, listFailed } from '../../../bin/admin/operations/imports/failed.ts';
import { maxAttempts } from '../../../lib/domain/imports/chunk.ts';
import { failChunk } from '../../../lib/operations/imports/work.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { bound, type Database, type Upsert } from '../../../lib/store/table/database.ts';
import { accountKey, importPartition, type Key } from '../../../lib/store/table/keys.ts';
import { openChunks } from '../../support/operations/import-operations.ts';
import { Crash, dying, ImportWorld, interrupted, moments, record } from './import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});

const indexes = [0, 1, 2, 3, 4];
const isState = (writes: readonly Upsert[]) =>
  writes.some((write) => (write.kind === 'insert' ? write.item.pk : write.key.pk).endsWith('#Q'));
const isItems = (writes: readonly Upsert[]) => !isState(writes);

describe('a worker that dies', () => {
  test.each(moments)(
    '%s any of its calls, in the midst of several chunks, leaves nothing lost or doubled',
    async (when) => {
      const changed = 9;
      const rows = 30;
      const recordsOf = (round: number) =>
        Array.from({ length: rows }, (_, n) => record(`${n}`, { nickname: n < changed ? `round ${round}` : 'old' }));
      await world.accept(0, recordsOf(0));
      await world.work();
      // Each round stops one call later, until one completes its three chunks.
      let round = 0;
      for (let died = true; died; ) {
        round++;
        await world.accept(3 * round, recordsOf(round));
        await world.accept(3 * round + 1, recordsOf(round));
        await world.accept(3 * round + 2, [record('last', { nickname: `round ${round}` })]);
        const { database, hasDied } = dying(world.database, round, when);
        await world.work(world.dependencies({ database })).catch((error) => {
          if (!(error instanceof Crash)) throw error;
        });
        died = hasDied();
        await world.work();
        expect(await world.nicknames('0', '8', '9', 'last')).toEqual([
          `round ${round}`,
          `round ${round}`,
          'old',
          `round ${round}`,
        ]);
        expect((await world.status()).records).toEqual({
          accepted: rows + (2 * rows + 1) * round,
          applied: rows + (changed + 1) * round,
          unchanged: (2 * rows - changed) * round,
          superseded: 0,
          rejected: 0,
        });
      }
      expect(round).toBeGreaterThan(10);
      expect(await openChunks(world.database, world.teamId)).toEqual([]);
      expect(await world.status()).toMatchObject({ status: 'completed', chunks: { failed: 0 } });
      const { begun, left } = await loadImportState(world.database, world.teamId);
      expect([begun, left]).toEqual([3 * round + 1, 3 * round + 1]);
    },
  );

  test('without a word, time after time, has its chunk marked failed, and the next one goes through', async () => {
    await world.accept(0, [record('1')]);
    await world.accept(1, [record('2')]);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const dies = interrupted(world.database, 'write', () => Promise.reject(new Crash()), isItems);
      await expect(world.work(world.dependencies({ database: dies }))).rejects.toThrow(Crash);
    }
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'failed', chunks: { completed: 1, failed: 1 } });
    expect(await listFailed({ database: world.database }, world.teamId)).toMatchObject([
      { index: 0, attempts: maxAttempts, failure: `given up after ${maxAttempts} attempts: Error, see the log` },
    ]);
    expect(await world.accept(0, [record('1')])).toMatchObject({ duplicate: true, redriven: true });
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'completed', records: { applied: 2 } });
  });
});

describe('a chunk that kills whoever works it', () => {
  /** A process that reads this account stops at that point. */
  function deadly(account: Key): Database {
    let isDead = false;
    const call = (name: keyof Database) => async (input: never) => {
      if (name === 'get') isDead ||= (input as Key[]).some(({ pk }) => pk === account.pk);
      if (isDead) throw new Crash();
      return world.database[name](input) as never;
    };
    return { get: call('get'), query: call('query'), write: call('write'), transact: call('transact') };
  }

  test('fails by itself: the one before, during which it is read ahead, and the one behind it are applied', async () => {
    for (const index of [0, 1, 2]) await world.accept(index, [record(`${index}`)]);
    for (let run = 0; (await openChunks(world.database, world.teamId)).length > 0; run++) {
      expect(run).toBeLessThan(20);
      await world.work(world.dependencies({ database: deadly(accountKey(world.teamId, '1')) })).catch(() => {});
    }
    expect(await world.status()).toMatchObject({ status: 'failed', chunks: { completed: 2, failed: 1 } });
    expect(await listFailed({ database: world.database }, world.teamId)).toMatchObject([{ index: 1 }]);
  });
});

describe('workers at the same time', () => {
  test('count each record once, and apply the chunks in their order', async () => {
    for (const index of indexes) {
      await world.accept(index, [record('all', { nickname: `${index}` }), record(`only ${index}`)]);
    }
    await Promise.all([1, 2, 3].map(() => world.work()));
    await world.work();
    expect(await world.nicknames('all')).toEqual(['4']);
    expect(await world.status()).toMatchObject({
      status: 'completed',
      records: { accepted: 10, applied: 10, unchanged: 0, superseded: 0 },
    });
  });

  test('of which one was begun before the other has worked everything find nothing left to do', async () => {
    await world.accept(0, [record('1', { nickname: 'a' })]);
    const database = interrupted(world.database, 'write', () => world.work(), isState);
    await world.work(world.dependencies({ database }));
    expect((await world.status()).records).toMatchObject({ accepted: 1, applied: 1 });
  });
});

describe('a worker that outlives its visibility timeout', () => {
  /** Runs this just before the worker's first write of items. */
  const overtakenBy = (by: () => Promise<unknown>) =>
    world.dependencies({ database: interrupted(world.database, 'write', by, isItems) });

  test('and writes after the next chunks have been applied overwrites nothing of them', async () => {
    await world.accept(0, [record('1', { nickname: 'first', status_code: 'A' })]);
    await world.accept(1, [record('1', { nickname: 'second' })]);
    await world.work(overtakenBy(() => world.work()));
    expect(await world.nicknames('1')).toEqual(['second']);
    expect(await world.status()).toMatchObject({
      status: 'completed',
      records: { accepted: 2, applied: 2, superseded: 0 },
    });
  });

  test('with what it had read ahead before others wrote it', async () => {
    await world.accept(0, [record('1', { nickname: 'first' })]);
    await world.accept(1, [record('2', { nickname: 'second' })]);
    const meanwhile = async () => {
      await world.work();
      await world.accept(2, [record('2', { nickname: 'third' })]);
      await world.work();
    };
    await world.work(overtakenBy(meanwhile));
    expect(await world.nicknames('1', '2')).toEqual(['first', 'third']);
    expect((await world.status()).records).toMatchObject({ accepted: 3, applied: 3 });
  });

  test('and whose chunk was discarded meanwhile cannot overwrite what a later chunk confirmed', async () => {
    await world.accept(0, [record('1', { nickname: 'kept' })]);
    await world.work();
    await world.accept(1, [record('1', { nickname: 'given up' })]);
    const meanwhile = async () => {
      const [chunk] = await openChunks(world.database, world.teamId);
      await failChunk(world.dependencies(), chunk!, 'given up by hand');
      await discardFailed(world.dependencies(), chunk!);
      await world.accept(2, [record('1', { nickname: 'kept' })]);
      await world.work();
    };
    await world.work(overtakenBy(meanwhile));
    expect(await world.nicknames('1')).toEqual(['kept']);
    expect((await world.status()).records).toMatchObject({ applied: 1, unchanged: 1 });
  });

  test('and whose chunk was marked failed meanwhile completes it all the same', async () => {
    await world.accept(0, [record('1', { nickname: 'kept' })]);
    const meanwhile = async () => {
      const [chunk] = await openChunks(world.database, world.teamId);
      await failChunk(world.dependencies(), chunk!, 'given up by hand');
    };
    await world.work(overtakenBy(meanwhile));
    expect(await world.status()).toMatchObject({ status: 'completed', chunks: { completed: 1, failed: 0 } });
    expect(await listFailed({ database: world.database }, world.teamId)).toEqual([]);
    expect(await loadImportState(world.database, world.teamId)).toMatchObject({ left: 1, failed: 0 });
  });
});

describe('the list of open chunks', () => {
  const isList = (input: { pk: string }) => input.pk === importPartition(world.teamId);

  test('is worked however long it is, each chunk after the one before', async () => {
    for (let index = 0; index < 30; index++) await world.accept(index, [record('1', { nickname: `${index}` })]);
    expect(await world.work()).toEqual({ outcome: 'empty', chunks: 30, records: 30 });
    expect((await world.status()).records).toMatchObject({ applied: 30, superseded: 0 });
    expect(await world.nicknames('1')).toEqual(['29']);
  });

  test('is worked as if nothing were read ahead: a chunk that takes back what the one before it sets is applied', async () => {
    for (const [index, nickname] of ['old', 'new', 'old', 'new', 'old'].entries()) {
      await world.accept(index, [record('1', { nickname }), record(`other ${index}`, { nickname })]);
      if (index === 0) await world.work();
    }
    // Long enough for the next chunk to be read before this one is written.
    const slow: Database = {
      ...bound(world.database),
      write: (writes) => sleep(50).then(() => world.database.write(writes)),
    };
    await world.work(world.dependencies({ database: slow }));
    expect(await world.nicknames('1')).toEqual(['old']);
    expect((await world.status()).records).toMatchObject({ accepted: 10, applied: 10, unchanged: 0 });
  });

  test('that shows a later chunk before an earlier one is looked at again, and the earlier one comes first', async () => {
    for (const index of [0, 1, 2]) await world.accept(index, [record('1', { nickname: `${index}` })]);
    let looks = 0;
    const torn: Database = {
      ...bound(world.database),
      query: async (input) => {
        const page = await world.database.query(input);
        if (!isList(input)) return page;
        looks++;
        return { ...page, items: page.items.filter(({ sk }) => !sk.endsWith(looks % 2 ? '1' : '2')) };
      },
    };
    await world.work(world.dependencies({ database: torn }));
    expect(looks).toBe(3);
    expect((await world.status()).records).toMatchObject({ applied: 3, superseded: 0 });
    expect(await world.nicknames('1')).toEqual(['2']);
  });

  test('goes on a minute after a number was lost for good, as by a restore', async () => {
    await world.accept(0, [record('1', { nickname: 'lost' })]);
    await world.accept(1, [record('1', { nickname: 'there' })]);
    const lost = (await openChunks(world.database, world.teamId))[0]!;
    const key = { pk: importPartition(world.teamId), sk: `OPEN#${String(lost.order).padStart(12, '0')}` };
    await world.database.transact([{ kind: 'delete', key, expect: {} }]);
    await expect(world.work()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await world.nicknames('1')).toEqual([undefined]);
    world.clock += 60_000;
    await world.work();
    expect(await world.nicknames('1')).toEqual(['there']);
  });
});
