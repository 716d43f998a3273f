import { beforeEach, describe, expect, test } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { discardFailed, listFailed } from '../../../bin/admin/operations/imports/failed.ts';
import { validationFailed } from '../../../lib/domain/values/problem.ts';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { acceptBatch } from '../../../lib/operations/imports/accept.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import { importsThatWait } from '../../../lib/operations/imports/work.ts';
import { batchKey, chunkKey, teamsKey } from '../../../lib/store/table/keys.ts';
import {
  chunk,
  counted,
  days,
  expiryOf,
  model,
  noon,
  open,
  post,
  record,
  replaced,
  teamId,
  using,
} from '../../support/models/model-imports.ts';
import { failNextChunk, openChunks, postBatch, workAll } from '../../support/operations/import-operations.ts';

beforeEach(open);

describe('an acceptance', () => {
  test('takes one read, one write and one transaction, and one wake', async () => {
    const { calls, database } = counted();
    await post(0, { database });
    expect(calls).toEqual({ get: 1, query: 0, write: 1, transact: 1 });
  });

  test('of a pair that is open wakes the worker again, with one read', async () => {
    await post(0);
    const { calls, database } = counted();
    const woken: string[] = [];
    await post(0, { database, queue: { wake: async ({ team_id }: Lane) => void woken.push(team_id) } as never });
    expect(calls).toEqual({ get: 1, query: 0, write: 0, transact: 0 });
    expect(woken).toEqual([teamId]);
  });

  test('of a pair that is completed wakes nobody', async () => {
    await post(0);
    await workAll(using(), teamId);
    const woken: string[] = [];
    await post(0, { queue: { wake: async ({ team_id }: Lane) => void woken.push(team_id) } as never });
    expect(woken).toEqual([]);
  });

  test('stores the records once, also if it loses a race', async () => {
    let writes = 0;
    let transactions = 0;
    const database = replaced({
      write: (input) => {
        writes++;
        return model.write(input);
      },
      transact: (input) => (transactions++ === 0 ? Promise.resolve(false) : model.transact(input)),
    });
    await post(0, { database });
    expect([writes, transactions]).toEqual([1, 2]);
  });

  test.each([
    [undefined, true],
    [2, false],
  ])('with the chunk count %j lists the batch before the transaction: %s', async (chunk_count, isListed) => {
    const database = replaced({ transact: () => Promise.reject(new Error('away')) });
    const posted = { batch_id: 'nightly', chunk_index: 0, records: [record('1')] };
    const batch = chunk_count === undefined ? posted : { ...posted, chunk_count };
    await expect(postBatch(using({ database }), teamId, batch)).rejects.toThrow('away');
    expect((await model.get([batchKey(teamId, 'nightly')]))[0] !== undefined).toBe(isListed);
  });

  test('of a request with a chunk count but no pair reports what is invalid', async () => {
    const posted = {
      pair: undefined,
      namesChunkCount: true,
      digest: () => '',
      validate: () => {
        throw validationFailed([]);
      },
    };
    await expect(acceptBatch(using(), { teamId }, posted)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test.each([
    [undefined, 30],
    [5, 5],
  ])('with a retention of %j keeps the records %i days', async (payloadDays, kept) => {
    await post(0, payloadDays === undefined ? {} : { payloadDays });
    expect(await expiryOf(0)).toBe(days(kept));
  });
});

describe('a failed chunk', () => {
  const fail = async () => {
    await post(0);
    await failNextChunk(using(), teamId);
    return (await chunk(0))!;
  };

  test('is kept until it is redriven or discarded', async () => {
    const failed = await fail();
    expect(await expiryOf(0)).toBeUndefined();
    expect(await redriveChunk(using({ payloadDays: 7 }), failed)).toBe(true);
    expect(await expiryOf(0)).toBe(days(7));
    expect((await chunk(0))!.status).toBe('open');
    await failNextChunk(using(), teamId);
    await discardFailed(using({ payloadDays: 9 }), failed);
    expect(await expiryOf(0)).toBe(days(9));
    expect((await chunk(0))!.status).toBe('discarded');
  });

  test('is not discarded, and no chunk cancelled, if every race is lost', async () => {
    const failed = await fail();
    const database = replaced({ transact: async () => false });
    const unavailable = { code: 'unavailable' };
    await expect(discardFailed(using({ database }), failed)).rejects.toMatchObject(unavailable);
    await post(1);
    await expect(cancelBatch(using({ database }), teamId, 'nightly')).rejects.toMatchObject(unavailable);
  });

  test('that does not exist, or was accepted again since, is neither redriven nor discarded', async () => {
    const failed = await fail();
    const notFound = { code: 'not_found' };
    const absent = { ...failed, claim: chunkKey(teamId, 'nightly', 7).sk };
    expect(await redriveChunk(using(), absent)).toBe(false);
    await expect(discardFailed(using(), absent)).rejects.toMatchObject(notFound);
    await discardFailed(using(), failed);
    await post(0);
    await failNextChunk(using(), teamId);
    expect((await chunk(0))!.order).toBeGreaterThan(failed.order);
    expect(await redriveChunk(using(), failed)).toBe(false);
    await expect(discardFailed(using(), failed)).rejects.toMatchObject(notFound);
    expect((await chunk(0))!.status).toBe('failed');
  });

  test('is listed with those of all teams, the oldest first', async () => {
    const teams = ['a', 'b', 'c', 'd'].map((last) => `8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de00${last}`);
    for (const [position, hour] of [3, 1, 2, 1].entries()) {
      const team = teams[position]!;
      const at = using({ now: () => noon + hour * 3_600_000 });
      await model.write([{ kind: 'insert', item: { ...teamsKey(team) } }]);
      await postBatch(at, team, { batch_id: 'nightly', chunk_index: 0, records: [record('1')] });
      await failNextChunk(at, team);
    }
    const listed = async (team?: string) =>
      (await listFailed(using(), team)).map(({ team_id }) => teams.indexOf(team_id));
    expect(await listed()).toEqual([1, 3, 2, 0]);
    expect(await listed(teams[2])).toEqual([2]);
  });
});

describe('a cancellation', () => {
  test('begins with the last chunks', async () => {
    for (let index = 0; index < 42; index++) await post(index);
    const cancelled: number[] = [];
    const database = replaced({
      transact: async (writes) => {
        const open = (await openChunks(model, teamId)).map(({ order }) => order);
        const isCommitted = await model.transact(writes);
        const left = await Promise.all(Array.from({ length: 42 }, (_, index) => chunk(index)));
        cancelled.push(left.filter((each) => each!.status === 'cancelled' && open.includes(each!.order)).length);
        expect(left.slice(0, 2).map((each) => each!.status)).toEqual(
          cancelled.length === 1 ? ['open', 'open'] : ['cancelled', 'cancelled'],
        );
        return isCommitted;
      },
    });
    expect(await cancelBatch(using({ database }), teamId, 'nightly')).toEqual({ cancelled: 42, left: 0 });
    expect(cancelled).toHaveLength(2);
  });
});

describe('the sweep', () => {
  test('counts failed chunks', async () => {
    await post(0);
    await failNextChunk(using(), teamId);
    expect(await importsThatWait(using(), teamId)).toEqual({ lanes: [], chunks_failed: 1 });
  });
});
