import { beforeEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '../../../lib/domain/imports/chunk.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { type Database, StoreUnavailable, type Upsert } from '../../../lib/store/table/database.ts';
import { openChunks } from '../../support/operations/import-operations.ts';
import { ImportWorld, interrupted, record, seconds } from './import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});

const unavailable = () => Promise.reject(new StoreUnavailable('an outage'));
const keyOf = (write: Upsert) => (write.kind === 'insert' ? write.item : write.key);
const isState = (writes: readonly Upsert[]) => writes.some((write) => keyOf(write).pk.endsWith('#Q'));

/** The table while these calls of it fail. */
function during(outage: Partial<Record<keyof Database, (input: never) => boolean>>): Database {
  const call = (name: keyof Database) => async (input: never) =>
    outage[name]?.(input) ? unavailable() : (world.database[name](input) as never);
  return { get: call('get'), query: call('query'), write: call('write'), transact: call('transact') };
}

/** The queue delivers the message repeatedly, after at most ten seconds each time, until this time has passed. */
async function attemptsFor(length: number, database: Database): Promise<number> {
  const end = world.clock + length;
  let attempts = 0;
  for (let wait = 2 * seconds; world.clock < end; wait = Math.min(2 * wait, 10 * seconds)) {
    await expect(world.work(world.dependencies({ database }))).rejects.toBeInstanceOf(StoreUnavailable);
    attempts++;
    world.clock += wait;
  }
  return attempts;
}

describe('an outage of 110 seconds', () => {
  test.each<[string, () => Database]>([
    ['all writes', () => during({ write: () => true, transact: () => true })],
    ['everything', () => during({ get: () => true, query: () => true, write: () => true, transact: () => true })],
    ['the writes of accounts and links', () => during({ write: (writes) => !isState(writes) })],
    ['transactions', () => during({ transact: () => true })],
    ['reads by key', () => during({ get: () => true })],
  ])('of %s uses up no attempt', async (_, outage) => {
    for (const index of [0, 1]) await world.accept(index, [record('1', { nickname: `${index}` })]);
    expect(await attemptsFor(110 * seconds, outage())).toBeGreaterThan(2 * maxAttempts);
    const { attempt } = await loadImportState(world.database, world.teamId);
    expect(attempt?.count ?? 0).toBe(0);
    await world.work();
    expect(await world.status()).toMatchObject({
      status: 'completed',
      chunks: { completed: 2, failed: 0 },
      records: { accepted: 2, applied: 2 },
    });
    expect(await world.nicknames('1')).toEqual(['1']);
  });

  test('that begins in the midst of an attempt costs that one at most', async () => {
    await world.accept(0, [record('1')]);
    let isOut = false;
    const outage = during({ write: () => isOut, transact: () => isOut });
    const database = interrupted(
      outage,
      'write',
      async () => {
        isOut = true;
      },
      (writes) => !isState(writes),
    );
    await attemptsFor(110 * seconds, database);
    expect((await loadImportState(world.database, world.teamId)).attempt?.count).toBe(1);
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'completed' });
  });
});

test('a queue that is away costs no attempt either: the chunk is worked all the same', async () => {
  await world.accept(0, [record('1')]);
  const queue = { wake: unavailable, postpone: unavailable };
  expect(await world.work(world.dependencies({ queue }))).toMatchObject({ outcome: 'empty', chunks: 1 });
  expect(await openChunks(world.database, world.teamId)).toEqual([]);
});

describe('responses that are lost on the way, of writes that took effect', () => {
  /** The store sends such a write again, and its condition then fails. */
  const repeating = (): Database => ({
    ...during({}),
    write: async (writes) => {
      await world.database.write(writes);
      return world.database.write(writes);
    },
  });

  test('cost a chunk none of its attempts', async () => {
    await world.accept(0, [record('1')]);
    await world.accept(1, [record('2')]);
    await world.work(world.dependencies({ database: repeating() }));
    expect(await world.status()).toMatchObject({
      status: 'completed',
      chunks: { completed: 2, failed: 0 },
      records: { accepted: 2, applied: 2 },
    });
    expect((await loadImportState(world.database, world.teamId)).attempt?.count).toBe(1);
  });
});
