import { beforeEach, describe, expect, test } from 'vitest';
import { accountRecord } from '../../lib/domain/account-record.ts';
import { Problem, validationFailed } from '../../lib/domain/problem.ts';
import { acceptBatch, redriveChunk } from '../../lib/operations/imports/accept.ts';
import { contactIds } from '../../lib/operations/imports/apply.ts';
import { cancelBatch } from '../../lib/operations/imports/cancel.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { discardFailed, listFailed } from '../../lib/operations/imports/failed.ts';
import { sweep } from '../../lib/operations/imports/sweep.ts';
import { workTeam } from '../../lib/operations/imports/work.ts';
import { loadChunk } from '../../lib/store/claims.ts';
import { bound, type Database } from '../../lib/store/database.ts';
import { loadImportState } from '../../lib/store/import-work.ts';
import { accountKey, batchKey, chunkKey, payloadKey, teamsKey } from '../../lib/store/keys.ts';
import {
  applyRecords,
  failNextChunk,
  importDependencies,
  openChunks,
  postBatch,
  workAll,
} from '../support/import-operations.ts';
import { ModelDatabase } from '../support/model-database.ts';
import { ModelQueue } from '../support/model-queue.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const noon = Date.parse('2026-03-01T12:00:00Z');
const days = (count: number) => noon / 1000 + count * 86_400;
const record = (account_number: string, fields: object = {}) => ({
  account_number,
  product: { code: 'P', type: 'checking' },
  ...fields,
});

let model: ModelDatabase;
let queue: ModelQueue;
beforeEach(() => {
  model = new ModelDatabase();
  queue = new ModelQueue();
});
const using = (changes: Partial<ImportDependencies> = {}): ImportDependencies =>
  importDependencies(changes.database ?? model, { queue, now: () => noon, pause: async () => {}, ...changes });
const post = (chunk_index: number, changes: Partial<ImportDependencies> = {}, records = [record('1')]) =>
  postBatch(using(changes), teamId, { batch_id: 'nightly', chunk_index, records });
const chunk = (index: number) =>
  loadChunk(model, teamId, { batch_id: 'nightly', claim: chunkKey(teamId, 'nightly', index).sk });
const expiryOf = async (index: number) =>
  (await model.get([payloadKey(teamId, (await chunk(index))!.payload_id, 0)]))[0]!.expires_at;
const replaced = (changes: Partial<Database>): Database => ({ ...bound(model), ...changes });
/** A database in which every race of these writes is lost. */
const losing = (...methods: ('write' | 'transact')[]) =>
  replaced({
    ...(methods.includes('write') ? { write: async (writes) => writes.map(() => false) } : {}),
    ...(methods.includes('transact') ? { transact: async () => false } : {}),
  });

function counted() {
  const calls = { get: 0, query: 0, write: 0, transact: 0 };
  const database = replaced(
    Object.fromEntries(
      (Object.keys(calls) as (keyof typeof calls)[]).map((name) => [
        name,
        (...input: never[]) => {
          calls[name]++;
          return (model[name] as (...values: never[]) => unknown)(...input);
        },
      ]),
    ) as Partial<Database>,
  );
  return { calls, database };
}

describe('an acceptance', () => {
  test('is answered with the batch, the chunk and the number of records', async () => {
    const common = { batch_id: 'nightly', type: 'account', records: 1, status: 'accepted' };
    expect(await post(0)).toStrictEqual({ ...common, chunk_index: 0, duplicate: false });
    expect(await post(0)).toStrictEqual({ ...common, chunk_index: 0, duplicate: true, same_records: true });
    const upload = await postBatch(using(), teamId, { batch_id: 'nightly', records: [record('1')] });
    expect(upload).toStrictEqual({ ...common, chunk_index: null, duplicate: false });
  });

  test('takes one read, one write and one transaction, and one wake', async () => {
    const { calls, database } = counted();
    await post(0, { database });
    expect(calls).toEqual({ get: 1, query: 0, write: 1, transact: 1 });
  });

  test('of a pair that is open wakes the worker again, with one read', async () => {
    await post(0);
    const { calls, database } = counted();
    const woken: string[] = [];
    await post(0, { database, queue: { wake: async (team: string) => void woken.push(team) } as never });
    expect(calls).toEqual({ get: 1, query: 0, write: 0, transact: 0 });
    expect(woken).toEqual([teamId]);
  });

  test('of a pair that is completed wakes nobody', async () => {
    await post(0);
    await workAll(using(), teamId);
    const woken: string[] = [];
    await post(0, { queue: { wake: async (team: string) => void woken.push(team) } as never });
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

  test('is unavailable if it loses every race', async () => {
    await expect(post(0, { database: losing('transact') })).rejects.toMatchObject({
      code: 'unavailable',
      message: "the team's order counter is contended",
    });
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
    await expect(acceptBatch(using(), teamId, posted)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test.each([
    [undefined, 30],
    [5, 5],
  ])('with a retention of %j keeps the records %i days', async (payloadDays, kept) => {
    await post(0, { payloadDays });
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

  test('is unavailable if every race is lost', async () => {
    const failed = await fail();
    const contended = { code: 'unavailable', message: 'the chunk is contended' };
    const database = losing('transact');
    await expect(redriveChunk(using({ database }), failed)).rejects.toMatchObject(contended);
    await expect(discardFailed(using({ database }), failed)).rejects.toMatchObject(contended);
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
  test('is unavailable if every race is lost', async () => {
    await post(0);
    await expect(cancelBatch(using({ database: losing('transact') }), teamId, 'nightly')).rejects.toMatchObject({
      code: 'unavailable',
      message: "the team's import state is contended",
    });
  });

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

describe('the sweeper', () => {
  test('reports the team at which it fails', async () => {
    await model.write([{ kind: 'insert', item: { ...teamsKey(teamId) } }]);
    const database = replaced({
      query: (input) => (input.pk.includes(teamId) ? Promise.reject(new Error('away')) : model.query(input)),
      get: (keys) => (keys.some(({ pk }) => pk.includes(teamId)) ? Promise.reject(new Error('away')) : model.get(keys)),
    });
    const failures: unknown[] = [];
    const run = sweep(using({ database }), { all: false }, (...failure) => failures.push(failure));
    await expect(run).rejects.toThrow('away');
    expect(failures).toEqual([[teamId, expect.objectContaining({ message: 'away' })]]);
    await expect(sweep(using({ database }), { all: false })).rejects.toThrow('away');
  });

  test('counts failed chunks', async () => {
    await model.write([{ kind: 'insert', item: { ...teamsKey(teamId) } }]);
    await post(0);
    await failNextChunk(using(), teamId);
    expect(await sweep(using(), { all: false })).toEqual({
      woken: 0,
      not_woken: 0,
      teams_late: 0,
      chunks_failed: 1,
      oldest_open_chunk: 0,
    });
  });
});

describe('records', () => {
  const parsed = (...records: object[]) => records.map((each) => accountRecord.parse(each));
  const product = (account_number: string, code: string, name: string) =>
    record(account_number, { product: { code, type: 'checking', name } });

  function registry(...known: string[]) {
    const ensured: string[][] = [];
    const products = {
      knows: (_: string, code: string) => known.includes(code),
      ensure: async (_: string, unknown: readonly { code: string; name?: unknown }[]) =>
        void ensured.push(unknown.map(({ code, name }) => `${code} ${name}`)),
    };
    return { ensured, products: products as never };
  }

  test('create the products that are not known, each as its first record describes it', async () => {
    const { ensured, products } = registry('K');
    const records = parsed(product('1', 'A', 'first'), product('2', 'B', 'second'), product('1', 'B', 'third'));
    const more = parsed(product('2', 'A', 'fourth'), product('3', 'K', 'known'), product('1', 'K', 'known'));
    await applyRecords(using({ products }), { teamId, order: 1, records: [...records, ...more] });
    expect(ensured).toEqual([['A first', 'B second']]);
  });

  test('do not create a product that the stored account has', async () => {
    const { ensured, products } = registry();
    await applyRecords(using({ products }), { teamId, order: 1, records: parsed(product('1', 'A', 'a')) });
    const records = parsed(product('1', 'A', 'a'), product('1', 'B', 'b'));
    await applyRecords(using({ products }), { teamId, order: 2, records });
    expect(ensured).toEqual([['A a'], ['B b']]);
  });

  test('that lose a race have only the outcome of their last attempt', async () => {
    let isFirst = true;
    const database = replaced({
      write: async (writes) => {
        const isAccount = writes.some(
          (write) => write.kind === 'insert' && write.item.pk === accountKey(teamId, '1').pk,
        );
        if (isAccount && isFirst) {
          isFirst = false;
          await applyRecords(using(), { teamId, order: 9, records: parsed(record('1', { nickname: 'newer' })) });
        }
        return model.write(writes);
      },
    });
    const records = parsed(record('1', { nickname: 'older' }), record('2'));
    const outcomes = await applyRecords(using({ database }), { teamId, order: 1, records });
    expect(outcomes).toEqual(['superseded', 'applied']);
  });

  test('are unavailable if every race is lost', async () => {
    const { products } = registry('P');
    const losses = applyRecords(using({ database: losing('write'), products }), {
      teamId,
      order: 1,
      records: parsed(record('1')),
    });
    await expect(losses).rejects.toMatchObject({ code: 'unavailable', message: 'an account or link is contended' });
  });

  test('read identities only if a contact was renamed, and only those that they name', async () => {
    const records = parsed(record('1'), record('2', { contact: { unique_id: 'a' } }));
    const { calls, database } = counted();
    const derived = (await contactIds(database, teamId, records, 0))('a');
    expect(calls.get).toBe(0);
    const asked: number[] = [];
    const recording = replaced({
      get: (keys) => {
        asked.push(keys.length);
        return model.get(keys);
      },
    });
    expect((await contactIds(recording, teamId, records, 1))('a')).toBe(derived);
    expect(asked).toEqual([1]);
  });
});

describe('a worker', () => {
  test('reads the account of a chunk once, while the one before it is written', async () => {
    for (const [index, number] of ['1', '2', '3'].entries()) await post(index, {}, [record(number)]);
    const reads: string[] = [];
    const database = replaced({
      get: (keys) => {
        reads.push(...keys.map(({ pk }) => pk));
        return model.get(keys);
      },
    });
    await workAll(using({ database }), teamId);
    for (const number of ['1', '2', '3']) {
      expect(reads.filter((pk) => pk === accountKey(teamId, number).pk)).toHaveLength(1);
    }
  });

  test('begins the next chunk in the write that closes the one before it', async () => {
    for (let index = 0; index < 3; index++) await post(index, {}, [record(`${index}`)]);
    const { calls, database } = counted();
    await workAll(using({ database }), teamId);
    // A write begins the first chunk, and a transaction closes each.
    expect(calls.transact).toBe(3);
  });

  test('ends between two chunks when its time is over', async () => {
    for (let index = 0; index < 3; index++) await post(index, {}, [record(`${index}`)]);
    let checks = 0;
    const report = await workTeam(using(), teamId, () => checks++ === 0);
    expect(report).toEqual({ outcome: 'out of time', chunks: 1, records: 1 });
    expect(await workTeam(using(), teamId, () => false)).toEqual({ outcome: 'out of time', chunks: 0, records: 0 });
    expect(await workAll(using(), teamId)).toEqual({ outcome: 'empty', chunks: 2, records: 2 });
  });

  test.each([
    [new Problem('unavailable'), undefined],
    [new Problem('conflict'), 1],
    [new TypeError('a defect'), 1],
    [Object.assign(new Error('not a problem'), { code: 'unavailable' }), 1],
  ])('that ends with %s has attempts: %j', async (error, count) => {
    await post(0);
    const products = { knows: () => false, ensure: () => Promise.reject(error) } as never;
    await expect(workAll(using({ products }), teamId)).rejects.toBe(error);
    const { attempt } = await loadImportState(model, teamId);
    expect(attempt?.count || undefined).toBe(count);
  });

  test('fails the chunks of a batch that a sandbox has named for it, but no others', async () => {
    const sandbox = '8f3c1a52-7f0e-8b5d-9a63-2f6f0c1de001';
    for (const team of [sandbox, teamId]) {
      const posted = { batch_id: 'sandbox-fails', chunk_index: 0, records: [record('1')] };
      await postBatch(using(), team, posted);
      await workAll(using(), team);
    }
    expect(await listFailed(using(), sandbox)).toMatchObject([{ failure: 'magic value of a sandbox team' }]);
    expect(await listFailed(using(), teamId)).toEqual([]);
  });

  test('that fails does not leave a rejection of what it read ahead', async () => {
    await post(0, {}, [record('1')]);
    await post(1, {}, [record('2')]);
    const { payload_id } = (await chunk(1))!;
    const database = replaced({
      get: (keys) =>
        keys.some(({ pk }) => pk === payloadKey(teamId, payload_id, 0).pk)
          ? Promise.reject(new Error('not readable'))
          : model.get(keys),
      write: () => Promise.reject(new Error('the worker dies')),
    });
    await expect(workAll(using({ database }), teamId)).rejects.toThrow(/the worker dies|not readable/);
  });
});
