import { beforeEach, describe, expect, test } from 'vitest';
import { discardFailed } from '../../../bin/admin/operations/imports/failed.ts';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { contactIds } from '../../../lib/operations/imports/apply.ts';
import { failChunk, workTeam } from '../../../lib/operations/imports/work.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { accountKey, payloadKey } from '../../../lib/store/table/keys.ts';
import {
  chunk,
  counted,
  days,
  expiryOf,
  model,
  open,
  post,
  record,
  replaced,
  teamId,
  using,
} from '../../support/models/model-imports.ts';
import { applyRecords, openChunks, workAll } from '../../support/operations/import-operations.ts';

beforeEach(open);

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
    expect(calls).toMatchObject({ transact: 3, write: 5 });
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

describe('a worker whose write loses a race', () => {
  /** The first transaction happens after this. */
  const racing = (before: () => Promise<unknown>) => {
    let isFirst = true;
    return replaced({
      transact: async (writes) => {
        if (isFirst) {
          isFirst = false;
          await before();
        }
        return model.transact(writes);
      },
    });
  };

  test('completes a chunk that another worker has marked failed, once', async () => {
    await post(0);
    const closed: unknown[] = [];
    const database = racing(async () => failChunk(using(), (await openChunks(model, teamId))[0]!, 'too slow'));
    const onClosed = (outcome: unknown) => closed.push(outcome);
    await workAll(using({ database, payloadDays: 7, onClosed }), teamId);
    expect(await chunk(0)).toMatchObject({ status: 'completed', counts: { applied: 1 } });
    expect(await expiryOf(0)).toBe(days(7));
    expect(closed).toEqual([{ applied: 1, unchanged: 0, superseded: 0, rejected: 0 }]);
  });

  test('closes an open chunk without a change of its records', async () => {
    await post(0);
    const transactions: string[][] = [];
    const database = replaced({
      transact: async (writes) => {
        transactions.push(writes.map((write) => (write.kind === 'insert' ? write.item.pk : write.key.pk)));
        return transactions.length > 1 && model.transact(writes);
      },
    });
    await workAll(using({ database }), teamId);
    expect(transactions[1]).toEqual(transactions[0]);
    expect((await chunk(0))!.status).toBe('completed');
  });

  test('leaves a chunk that was discarded in the meantime', async () => {
    await post(0);
    const database = racing(async () => {
      await failChunk(using(), (await openChunks(model, teamId))[0]!, 'too slow');
      await discardFailed(using(), (await chunk(0))!);
    });
    const closed: unknown[] = [];
    await workAll(using({ database, onClosed: (outcome) => closed.push(outcome) }), teamId);
    expect((await chunk(0))!.status).toBe('discarded');
    expect(closed).toEqual([]);
  });

  test('lists the chunks again if another worker has begun one', async () => {
    await post(0);
    let isFirst = true;
    const database = replaced({
      write: async (writes) => {
        if (!isFirst) return model.write(writes);
        isFirst = false;
        return writes.map(() => false);
      },
    });
    expect(await workAll(using({ database }), teamId)).toEqual({ outcome: 'empty', chunks: 1, records: 1 });
  });
});

describe('a chunk that is marked failed', () => {
  test('is not marked if every race is lost', async () => {
    await post(0);
    const [open] = await openChunks(model, teamId);
    const database = replaced({ transact: async () => false });
    const conflicting = { code: 'unavailable', message: 'too many conflicts on the chunk' };
    await expect(failChunk(using({ database }), open!, 'a test')).rejects.toMatchObject(conflicting);
    await expect(workAll(using({ database }), teamId)).rejects.toMatchObject(conflicting);
  });

  test('is reported once, with its reason', async () => {
    await post(0);
    const closed: unknown[] = [];
    const [open] = await openChunks(model, teamId);
    await failChunk({ ...using(), onClosed: (outcome) => closed.push(outcome) }, open!, 'a test');
    expect(closed).toEqual(['failed']);
    expect(await chunk(0)).toMatchObject({ status: 'failed', failure: 'a test' });
  });

  test.each([{ order: 99 }, { claim: 'none' }, { payload_id: 'other' }])('is not another one: %j', async (change) => {
    await post(0);
    const [open] = await openChunks(model, teamId);
    await failChunk(using(), { ...open!, ...change }, 'a test');
    expect((await chunk(0))!.status).toBe('open');
  });
});

test.each([
  [new Problem('unavailable', undefined, { reason: 'second' }), 'first'],
  [new TypeError('second'), 'second'],
])('an attempt that cannot be uncounted because of %s fails with the error: %s', async (error, message) => {
  await post(0);
  let isFailing = false;
  const products = {
    knows: () => false,
    ensure: () => {
      isFailing = true;
      return Promise.reject(new Problem('unavailable', undefined, { reason: 'first' }));
    },
  } as never;
  const database = replaced({ query: (input) => (isFailing ? Promise.reject(error) : model.query(input)) });
  await expect(workAll(using({ database, products }), teamId)).rejects.toThrow(message);
});
