import { expect, test } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { balances, csv, row, rows } from '../../support/samples/account-files.ts';

/** Runs an invocation in which each wait runs `onWait` instead of the import worker. */
function invoke(world: DropWorld, file: { key: string; version: string }, onWait: () => Promise<void>) {
  return world.invoke(file, 1000, { ...world.dependencies(), wait: onWait });
}

const openOf = async (world: DropWorld, file: { key: string; version: string }) =>
  (await world.chunksOf(file)).filter(({ status }) => status === 'open').length;

test('a long file has at most two open chunks, so another waits for no more than these', async () => {
  const world = await DropWorld.open();
  const long = world.drop('accounts/long.csv', csv(...rows(2600)));
  const short = world.drop('accounts/short.csv', csv(row(9001)));
  const seen: number[] = [];
  let chunksBefore: number | undefined;
  await invoke(world, long, async () => {
    seen.push(await openOf(world, long));
    if (chunksBefore === undefined) {
      await world.invoke(short);
      chunksBefore = (await world.chunksOf(long)).length;
      const [only] = await world.chunksOf(short);
      expect(only!.order - chunksBefore).toBe(1);
    }
    await world.workImports();
  });
  expect(chunksBefore).toBe(2);
  expect(Math.max(...seen)).toBe(2);
  await world.finish(short);
  await world.finish(long);
  expect(await balances(world, [1, 2600, 9001])).toEqual(['1.50', '2600.50', '9001.50']);
});

test('a request to the API waits for no more chunks of a file either', async () => {
  const world = await DropWorld.open();
  const long = world.drop('accounts/long.csv', csv(...rows(1600)));
  const record = { account_number: 'api', product: { code: 'P', type: 'checking' } };
  let isPosted = false;
  await invoke(world, long, async () => {
    if (!isPosted) await postBatch(world.dependencies(), world.teamId, { batch_id: 'b', records: [record] });
    isPosted = true;
    await world.workImports();
  });
  const orders = (await world.chunksOf(long)).map(({ order }) => order);
  expect(orders).toEqual([1, 2, 4, 5]);
});

test('an invocation whose time is over while it waits continues at that chunk', async () => {
  const world = await DropWorld.open();
  const file = world.drop('accounts/a.csv', csv(...rows(1200)));
  const dependencies = { ...world.dependencies(), wait: async () => {} };
  expect(await world.invoke(file, 10, dependencies)).toEqual({ after: 0, isRead: false });
  expect(await openOf(world, file)).toBe(2);
  await world.finish(file);
  expect(world.report(file)).toMatchObject({ status: 'completed', rows: { read: 1200, applied: 1200 } });
});

test('a file whose batch is cancelled is not read further, and its report says so', async () => {
  const world = await DropWorld.open();
  const file = world.drop('accounts/wrong.csv', csv(...rows(3000)));
  expect(await world.invoke(file, 1)).toMatchObject({ isRead: false });
  const batch_id = (await world.chunksOf(file))[0]!.batch_id;
  await world.workImports();
  expect(await cancelBatch(world.dependencies(), world.teamId, batch_id)).toEqual({ cancelled: 0, left: 1 });
  await world.finish(file);
  expect(await world.chunksOf(file)).toHaveLength(1);
  expect(world.report(file)).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/^An administrator cancelled/),
    rows: { read: 500, applied: 500 },
  });
});
