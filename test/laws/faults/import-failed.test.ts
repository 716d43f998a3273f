import { beforeEach, describe, expect, test } from 'vitest';
import { discardFailed, listFailed } from '../../../bin/admin/operations/imports/failed.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { payloadKey } from '../../../lib/store/table/keys.ts';
import { failNextChunk, openChunks } from '../../support/operations/import-operations.ts';
import { dying, ImportWorld, interrupted, minute, moments, record } from './import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});

const spoil = async (payloadId: string, data: unknown) => {
  const key = payloadKey(world.teamId, payloadId, 0);
  const [item] = await world.database.get([key]);
  await world.database.write([{ kind: 'update', key, set: { data }, expect: {} }]);
  return item?.data;
};
const spoilFirst = async (data: Buffer) => {
  const { payload_id } = (await openChunks(world.database, world.teamId))[0]!;
  const records = await spoil(payload_id, data);
  return { restore: () => spoil(payload_id, records) };
};
const failed = () => listFailed({ database: world.database }, world.teamId);
const expires = async ({ payload_id }: Pick<Chunk, 'payload_id'>) =>
  (await world.database.get([payloadKey(world.teamId, payload_id, 0)]))[0]?.expires_at !== undefined;

describe('a chunk whose records cannot be read', () => {
  test('fails at once, lets the next through, and when it is redriven touches nothing newer', async () => {
    await world.accept(
      0,
      ['1', '2', '3'].map((number) => record(number, { nickname: 'poison' })),
    );
    const { restore } = await spoilFirst(Buffer.from('not gzip'));
    await world.accept(1, [record('1', { nickname: 'newer' }), record('2', { nickname: 'newer' })]);
    await world.accept(2, [record('2', { nickname: 'newer' })]);
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'failed', chunks: { completed: 2, failed: 1 } });
    expect(await failed()).toMatchObject([{ index: 0, attempts: 1, failure: 'its stored records cannot be read' }]);

    await restore();
    expect(await redriveChunk(world.dependencies(), (await failed())[0]!)).toBe(true);
    expect(await world.status()).toMatchObject({ status: 'processing' });
    expect(await world.drain()).toBeGreaterThan(0);
    expect(await world.nicknames('1', '2', '3')).toEqual(['newer', 'newer', 'poison']);
    expect(await world.status()).toMatchObject({
      status: 'completed',
      records: { accepted: 6, applied: 3, unchanged: 1, superseded: 2, rejected: 0 },
    });
  });

  test('cannot, when it is redriven, overwrite what a later chunk only confirmed', async () => {
    await world.accept(0, [record('1', { nickname: 'right' })]);
    await world.work();
    await world.accept(1, [record('1', { nickname: 'wrong' })]);
    const { restore } = await spoilFirst(Buffer.from(''));
    await world.accept(2, [record('1', { nickname: 'right' })]);
    await world.work();
    await restore();
    expect(await world.accept(1, [])).toMatchObject({ duplicate: true, records: 1, redriven: true });
    await world.work();
    expect(await world.nicknames('1')).toEqual(['right']);
    expect((await world.status()).records).toMatchObject({ applied: 1, unchanged: 1, superseded: 1 });
  });

  test('and is redriven while a later one is at work cannot overwrite what that one confirms', async () => {
    await world.accept(0, [record('1', { nickname: 'right' })]);
    await world.work();
    await world.accept(1, [record('1', { nickname: 'wrong' })]);
    const { restore } = await spoilFirst(Buffer.from(''));
    await world.work();
    await restore();
    await world.accept(2, [record('1', { nickname: 'right' }), record('2')]);
    const redriving = async () => {
      await redriveChunk(world.dependencies(), (await failed())[0]!);
    };
    // Just before the later chunk reads its items, when its state shows no failed chunk yet.
    let gets = 0;
    const database = interrupted(world.database, 'get', redriving, () => ++gets === 2);
    await world.work(world.dependencies({ database }));
    await world.work();
    expect(await world.nicknames('1')).toEqual(['right']);
    expect((await world.status()).chunks).toMatchObject({ completed: 3, failed: 0 });
  });

  test('and is redriven before the list shows it cannot overwrite what a later one confirms', async () => {
    await world.accept(0, [record('1', { nickname: 'right' })]);
    await world.work();
    await world.accept(1, [record('1', { nickname: 'wrong' })]);
    const { restore } = await spoilFirst(Buffer.from(''));
    await world.work();
    await restore();
    await world.accept(2, [record('1', { nickname: 'right' })]);
    await redriveChunk(world.dependencies(), (await failed())[0]!);
    // A query may see one item of a transaction before another.
    const { database } = world;
    const behind: Database = {
      ...bound(database),
      query: async (input) => {
        const page = await database.query(input);
        return { ...page, items: page.items.filter(({ order }) => order !== 2) };
      },
    };
    await world.work(world.dependencies({ database: behind }));
    expect(await openChunks(world.database, world.teamId)).toMatchObject([{ order: 2 }]);
    await world.work();
    expect(await world.nicknames('1')).toEqual(['right']);
    expect((await world.status()).chunks).toMatchObject({ completed: 3, failed: 0 });
  });

  test('gets all its attempts again when it is redriven', async () => {
    await world.accept(0, [record('1')]);
    await failNextChunk(world.dependencies(), world.teamId);
    await redriveChunk(world.dependencies(), (await failed())[0]!);
    expect((await loadImportState(world.database, world.teamId)).attempt).toBeUndefined();
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'completed' });
  });

  test('that was discarded leaves its pair free for a new acceptance, under a new number', async () => {
    await world.accept(0, [record('1', { nickname: 'bad' })]);
    const chunk = await failNextChunk(world.dependencies(), world.teamId);
    await discardFailed(world.dependencies(), chunk);
    expect(await world.status()).toMatchObject({ chunks: { accepted: 0, discarded: 1 } });
    await expect(discardFailed(world.dependencies(), chunk)).rejects.toMatchObject({ code: 'not_found' });
    const anew = await world.accept(0, [record('1', { nickname: 'good' })]);
    expect(anew).toMatchObject({ duplicate: false });
    expect(anew).not.toHaveProperty('redriven');
    // The former acceptance can no longer be redriven or discarded.
    expect(await redriveChunk(world.dependencies(), { ...chunk, status: 'failed' })).toBe(false);
    await world.work();
    expect(await world.nicknames('1')).toEqual(['good']);
    expect((await world.status()).chunks).toEqual({ accepted: 1, completed: 1, failed: 0 });
    const { chunks } = await loadBatch(world.database, world.teamId, 'nightly');
    expect(chunks).toMatchObject([{ order: 2, status: 'completed' }]);
  });
});

describe('the stored records of a chunk', () => {
  test('stay beyond their time to live while it stands failed, and not before or after', async () => {
    await world.accept(0, [record('1')]);
    const [chunk] = await openChunks(world.database, world.teamId);
    expect(await expires(chunk!)).toBe(true);
    await failNextChunk(world.dependencies(), world.teamId);
    expect(await expires(chunk!)).toBe(false);
    await redriveChunk(world.dependencies(), (await failed())[0]!);
    expect(await expires(chunk!)).toBe(true);
    await failNextChunk(world.dependencies(), world.teamId);
    expect(await expires(chunk!)).toBe(false);
    await discardFailed(world.dependencies(), chunk!);
    expect(await expires(chunk!)).toBe(true);
  });

  test('expire once an attempt that was still at work has completed the failed chunk', async () => {
    await world.accept(0, [record('1')]);
    const [chunk] = await openChunks(world.database, world.teamId);
    const failing = () => failNextChunk(world.dependencies(), world.teamId);
    await world.work(world.dependencies({ database: interrupted(world.database, 'transact', failing) }));
    expect(await world.status()).toMatchObject({ status: 'completed' });
    expect(await expires(chunk!)).toBe(true);
  });

  type Decision = (using: { database: Database }) => Promise<unknown>;
  const decisions: [string, Decision][] = [
    ['marked failed', ({ database }) => world.work(world.dependencies({ database }))],
    ['redriven', async ({ database }) => redriveChunk(world.dependencies({ database }), (await failed())[0]!)],
    ['discarded', async ({ database }) => discardFailed(world.dependencies({ database }), (await failed())[0]!)],
  ];

  test.each(decisions.flatMap(([name, decide]) => moments.map((when) => [name, when, decide] as const)))(
    'are kept exactly while it stands failed, though who has it %s dies %s any call',
    async (name, when, decide) => {
      await world.accept(0, [record('1')]);
      const [chunk] = await openChunks(world.database, world.teamId);
      await spoilFirst(Buffer.from(''));
      if (name !== 'marked failed') await world.work();
      let decided = false;
      for (let call = 1; !decided; call++) {
        const { database, hasDied } = dying(world.database, call, when);
        await decide({ database }).catch(() => {});
        const { status } = (await loadBatch(world.database, world.teamId, 'nightly')).chunks[0]!;
        expect(await expires(chunk!)).toBe(status !== 'failed');
        expect(await failed()).toHaveLength(status === 'failed' ? 1 : 0);
        expect(await openChunks(world.database, world.teamId)).toHaveLength(status === 'open' ? 1 : 0);
        const state = await loadImportState(world.database, world.teamId);
        expect(state.failed).toBe(status === 'failed' ? 1 : 0);
        expect(state.left).toBe(status === 'open' ? 0 : 1);
        decided = !hasDied() || (name === 'marked failed' ? status === 'failed' : status !== 'failed');
        // A chunk may also fail after this number of attempts.
        expect(call).toBeLessThan(20);
      }
    },
  );

  test('that have expired fail their chunk, once it is worked, and the next one goes on', async () => {
    await world.accept(0, [record('1')]);
    const { payload_id } = (await openChunks(world.database, world.teamId))[0]!;
    await world.database.transact([{ kind: 'delete', key: payloadKey(world.teamId, payload_id, 0), expect: {} }]);
    await world.accept(1, [record('2')]);
    world.clock += minute;
    await world.work();
    expect(await world.status()).toMatchObject({ chunks: { completed: 1, failed: 1 } });
    expect(await redriveChunk(world.dependencies(), (await failed())[0]!)).toBe(true);
    await world.work();
    expect(await failed()).toHaveLength(1);
  });
});
