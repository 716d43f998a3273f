import { beforeEach, describe, expect, test } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import type { Upsert } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { openChunks, postBatch } from '../../support/operations/import-operations.ts';
import { dying, ImportWorld, interrupted, record } from './import-world.ts';

let world: ImportWorld;
beforeEach(() => {
  world = new ImportWorld();
});

const indexes = [0, 1, 2, 3, 4];

describe('a batch that is cancelled', () => {
  const cancel = () => cancelBatch(world.dependencies(), world.teamId, 'nightly');

  test('while a worker is at its first chunk is applied up to that one', async () => {
    for (const index of indexes) await world.accept(index, [record('1', { nickname: `${index}` })]);
    const isItems = (writes: readonly Upsert[]) =>
      writes.every((write) => !(write.kind === 'insert' ? write.item.pk : write.key.pk).endsWith('#Q'));
    const reports: unknown[] = [];
    const database = interrupted(world.database, 'write', async () => reports.push(await cancel()), isItems);
    await world.work(world.dependencies({ database }));
    expect(reports).toEqual([{ cancelled: 4, left: 1 }]);
    expect(await world.nicknames('1')).toEqual(['0']);
    expect(await openChunks(world.database, world.teamId)).toEqual([]);
    expect(await world.status()).toMatchObject({
      status: 'completed',
      chunks: { accepted: 5, completed: 1, cancelled: 4 },
      records: { accepted: 5, applied: 1 },
    });
  });

  test('between two others is passed, and what stands behind it is worked in the same go', async () => {
    const other = { batch_id: 'other', records: [record('1', { nickname: 'other' })] };
    await postBatch(world.dependencies(), world.teamId, other);
    await world.accept(0, [record('1', { nickname: 'cancelled' })]);
    await cancel();
    await world.accept(1, [record('1', { nickname: 'last' })]);
    // For some seconds the list does not show whether the first one is cancelled too.
    world.clock += 5000;
    expect(await world.work()).toEqual({ outcome: 'empty', chunks: 2, records: 2 });
    expect(await world.nicknames('1')).toEqual(['last']);
  });

  test('of more chunks than a transaction takes is cancelled whole, and other batches go on behind it', async () => {
    for (let index = 0; index < 95; index++) await world.accept(index, [record('1')]);
    await world.accept(0, [record('1', { nickname: 'other records' })]);
    expect(await cancel()).toEqual({ cancelled: 95, left: 0 });
    await world.accept(0, [record('1', { nickname: 'anew' })]);
    await world.work();
    expect(await world.nicknames('1')).toEqual(['anew']);
    expect(await world.status()).toMatchObject({ chunks: { accepted: 95, completed: 1, cancelled: 94, repeated: 1 } });
    expect(await loadImportState(world.database, world.teamId)).toMatchObject({ begun: 96, left: 96 });
  });

  test('by a command that dies at any of its calls is cancelled by the next', async () => {
    for (let index = 0; index < 50; index++) await world.accept(index, [record('1')]);
    for (let call = 1, died = true; died; call++) {
      const { database, hasDied } = dying(world.database, call, 'after');
      await cancelBatch(world.dependencies({ database }), world.teamId, 'nightly').catch(() => {});
      died = hasDied();
    }
    await world.work();
    expect(await world.status()).toMatchObject({ status: 'completed', chunks: { accepted: 50, cancelled: 50 } });
    expect(await loadImportState(world.database, world.teamId)).toMatchObject({ begun: 50, left: 50 });
    expect((await loadLinks(world.database, world.teamId, derivedContactId(world.teamId, 'owner of 1'))).links).toEqual(
      [],
    );
  });
});
