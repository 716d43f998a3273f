import { describe, expect, test } from 'vitest';
import type { Consumed, DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { insert, key, named, on, removal, throws } from './table-requests.ts';

describe('a transaction', () => {
  const cancelled = (...codes: (string | undefined)[]) =>
    Object.assign(named('TransactionCanceledException'), { CancellationReasons: codes.map((Code) => ({ Code })) });
  const failing = (...errors: Error[]) =>
    on((_, call) => {
      const error = errors[call - 1];
      return error ? throws(error) : {};
    });
  const run = (database: DynamoDatabase, losesConflicts?: boolean) =>
    database.transact([insert('a')], losesConflicts === undefined ? {} : { losesConflicts });

  test('sends its writes and a token', async () => {
    const { database, requests } = failing();
    expect(await run(database)).toBe(true);
    expect(requests).toMatchObject([
      {
        operation: 'TransactWriteItems',
        input: {
          TransactItems: [{ Put: { TableName: 'table' } }],
          ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        },
      },
    ]);
  });

  test.each([['ConditionalCheckFailed'], ['DuplicateItem']])('is lost by %s of one part', async (code) => {
    const { database, requests } = failing(cancelled('None', code, 'TransactionConflict'));
    expect(await run(database)).toBe(false);
    expect(requests).toHaveLength(1);
  });

  test('is sent again after a conflict, unless its caller loses conflicts', async () => {
    const again = failing(cancelled('None', 'TransactionConflict'));
    expect(await run(again.database)).toBe(true);
    expect(again.requests).toHaveLength(2);
    const lost = failing(cancelled('None', 'TransactionConflict'));
    expect(await run(lost.database, true)).toBe(false);
  });

  test('with a conflict is not lost if an earlier round may have committed it', async () => {
    const { database, requests } = failing(named('TimeoutError'), cancelled('TransactionConflict'));
    expect(await run(database, true)).toBe(true);
    expect(requests).toHaveLength(3);
    const known = failing(cancelled('ThrottlingError'), cancelled('TransactionConflict'));
    expect(await run(known.database, true)).toBe(false);
  });

  test('that cannot succeed is refused', async () => {
    const error = cancelled('None', 'TransactionConflict', 'ValidationError');
    const { database, requests } = failing(error);
    await expect(run(database)).rejects.toMatchObject({ name: 'WriteRefused', code: 'ValidationError', cause: error });
    expect(requests).toHaveLength(1);
  });

  test.each([
    [['None', 'ThrottlingError'], 'ThrottlingError'],
    [[undefined], 'None'],
    [[], 'None'],
  ])('cancelled with %j is sent again', async (codes, code) => {
    const { database } = on(() => throws(cancelled(...codes)));
    await expect(run(database)).rejects.toMatchObject({ code: 'unavailable', cause: { name: 'LeftUndone', code } });
  });

  test.each([
    ['AccessDeniedException', 1, 'AccessDeniedException'],
    ['InternalServerError', 8, 'the transact on the table failed after all retries'],
  ])('that fails with %s is sent %i times', async (name, times, message) => {
    const { database, requests } = on(() => throws(named(name)));
    await expect(run(database)).rejects.toThrow(message);
    expect(requests).toHaveLength(times);
  });
});

describe('the consumed units', () => {
  const units = (CapacityUnits: number) => ({ CapacityUnits });
  const responses: Record<string, object> = {
    BatchGetItem: { Responses: {}, ConsumedCapacity: [units(1), {}, units(2)] },
    Query: { Items: [], ConsumedCapacity: units(4) },
    BatchExecuteStatement: { Responses: [{}], ConsumedCapacity: [units(5)] },
    UpdateItem: { ConsumedCapacity: units(6) },
    TransactWriteItems: { ConsumedCapacity: [units(7), units(8)] },
  };
  const all = async (database: DynamoDatabase) => {
    await database.get([key('a')]);
    await database.query({ pk: 'p' });
    await database.write([insert('a')]);
    await database.write([removal('a')]);
    await database.transact([insert('a')]);
  };

  test('are reported if somebody counts them', async () => {
    const consumed: Consumed[] = [];
    const { database, requests } = on(({ operation }) => responses[operation]!, {
      onConsumed: (each) => consumed.push(each),
    });
    await all(database);
    expect(requests.map(({ input }) => input.ReturnConsumedCapacity)).toEqual(Array(5).fill('TOTAL'));
    expect(consumed).toEqual([
      { operation: 'BatchGetItem', readUnits: 3, writeUnits: 0 },
      { operation: 'Query', readUnits: 4, writeUnits: 0 },
      { operation: 'BatchExecuteStatement', readUnits: 0, writeUnits: 5 },
      { operation: 'UpdateItem', readUnits: 0, writeUnits: 6 },
      { operation: 'TransactWriteItems', readUnits: 0, writeUnits: 15 },
    ]);
  });

  test('are zero if the engine does not report them', async () => {
    const consumed: Consumed[] = [];
    const { database } = on(({ operation }) => ({ ...responses[operation], ConsumedCapacity: undefined }), {
      onConsumed: (each) => consumed.push(each),
    });
    await all(database);
    expect(consumed.map(({ readUnits, writeUnits }) => readUnits + writeUnits)).toEqual([0, 0, 0, 0, 0]);
  });

  test('are not asked for otherwise', async () => {
    const { database, requests } = on(({ operation }) => responses[operation]!);
    await all(database);
    for (const { input } of requests) expect(input).not.toHaveProperty('ReturnConsumedCapacity');
  });
});
