import { expect, test, vi } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { NoCapacity, waitForCapacity } from '../../../lib/operations/drop-box/capacity.ts';
import { markCancelled } from '../../../lib/store/imports/claims.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { csv, row } from '../../support/samples/account-files.ts';

const always = () => true;
const never = () => false;
const record = (number: number) => ({ account_number: String(number), product: { code: 'P', type: 'checking' } });

/** A file of which so many chunks are sent, and what an attempt does to wait for capacity. */
async function open(sent: number) {
  const world = await DropWorld.open();
  const drop = await world.opened('accounts/a.csv', csv(row(1)));
  for (let chunk_index = 0; chunk_index < sent; chunk_index++) {
    await postBatch(world.dependencies(), world.teamId, {
      batch_id: drop.batchId,
      chunk_index,
      records: [record(chunk_index)],
    });
  }
  const waits: number[] = [];
  const wait = (index: number, hasTime: () => boolean, whileWaiting: () => Promise<unknown> = async () => {}) =>
    waitForCapacity(
      {
        ...world.dependencies(),
        wait: async (milliseconds) => {
          waits.push(milliseconds);
          await whileWaiting();
        },
      },
      drop,
      index,
      hasTime,
    );
  return { world, drop, waits, wait };
}

test.each([
  ['the first', 0, 0],
  ['the second', 1, 1],
  ['a chunk whose second before was not sent', 3, 1],
])('%s does not wait, and looks no more often than it must', async (_, index, looks) => {
  const { world, waits, wait } = await open(1);
  const get = vi.spyOn(world.database, 'get');
  await wait(index, never);
  expect(get).toHaveBeenCalledTimes(looks);
  expect(waits).toEqual([]);
});

test('the third waits until the first is closed, and looks every 100 milliseconds', async () => {
  const { world, waits, wait } = await open(2);
  await wait(2, always, async () => waits.length === 3 && world.workImports());
  expect(waits).toEqual([100, 100, 100]);
});

test('no chunk waits when the time is over', async () => {
  const { waits, wait } = await open(2);
  const error = await wait(2, never).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NoCapacity);
  expect(error).toMatchObject({ name: 'NoCapacity' });
  expect(waits).toEqual([]);
});

test.each([1, 2])('chunk %d is not sent after the batch was cancelled', async (index) => {
  const { world, drop, wait } = await open(2);
  await markCancelled(world.database, world.teamId, drop.batchId, '2026-03-01T02:00:00.000000Z');
  await cancelBatch(world.dependencies(), world.teamId, drop.batchId);
  await expect(wait(index, always)).rejects.toMatchObject({
    name: 'FileRefused',
    message: 'An administrator cancelled the import of the file. Rows that were applied before stay.',
  });
});
