import { describe, expect, test } from 'vitest';
import { tableClient } from '../../../lib/store/aws/table-client.ts';
import type { Upsert } from '../../../lib/store/table/database.ts';
import { type Consumed, DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { answering } from '../../support/aws/connection.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read the requests that they expect
type Sent = { operation: string; input: Record<string, any> };
type Respond = (sent: Sent, call: number) => object;

/** A database whose connection is a function, and the requests that it got, as DynamoDB gets them. */
function on(respond: Respond, options: { onConsumed?: (consumed: Consumed) => void } = {}) {
  const requests: Sent[] = [];
  const requestHandler = answering(async ({ headers, body }) => {
    const sent = { operation: headers['x-amz-target']!.split('.')[1]!, input: JSON.parse(body) };
    return { body: JSON.stringify(await respond(sent, requests.push(sent))) };
  });
  const client = tableClient({ region: localRegion, credentials: localCredentials, requestHandler });
  return { requests, database: new DynamoDatabase({ tableName: 'table', client, backoff: () => 0, ...options }) };
}

const key = (sk: string) => ({ pk: 'p', sk });
const sent = (sk: string, more = {}) => ({ pk: { S: 'p' }, sk: { S: sk }, ...more });
const insert = (sk: string): Upsert => ({ kind: 'insert', item: key(sk) });
const removal = (sk: string): Upsert => ({
  kind: 'update',
  key: key(sk),
  set: { a: undefined, b: undefined },
  expect: {},
});
const named = (name: string) => Object.assign(new Error(name), { name });
const throws = (error: Error): never => {
  throw error;
};

const keysIn = ({ input }: Sent) => input.RequestItems.table.Keys.map(({ sk }: { sk: { S: string } }) => sk.S);

describe('reads by key', () => {
  test('ask for each key once, for no other attributes of an item, and consistently', async () => {
    const { database, requests } = on(({ input }) => ({
      Responses: { table: input.RequestItems.table.Keys.map((each: object) => ({ ...each, n: { N: '1' } })) },
    }));
    const found = await database.get([{ ...key('a'), more: 1 } as never, key('b'), key('a')]);
    expect(found.map((item) => item?.sk)).toEqual(['a', 'b', 'a']);
    expect(requests).toEqual([
      {
        operation: 'BatchGetItem',
        input: { RequestItems: { table: { Keys: [sent('a'), sent('b')], ConsistentRead: true } } },
      },
    ]);
  });

  test('send what was not processed again, and only that', async () => {
    const { database, requests } = on((_, call) =>
      call === 1
        ? { Responses: { table: [sent('a')] }, UnprocessedKeys: { table: { Keys: [sent('b')] } } }
        : { Responses: { table: [sent('b')] }, UnprocessedKeys: {} },
    );
    expect(await database.get([key('a'), key('b')])).toEqual([key('a'), key('b')]);
    expect(requests.map(keysIn)).toEqual([['a', 'b'], ['b']]);
  });

  test('of a hundred keys each run in parallel, eight at a time', async () => {
    let [running, most] = [0, 0];
    const { database, requests } = on(async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return { Responses: {} };
    });
    await database.get(Array.from({ length: 2000 }, (_, n) => key(`${n}`)));
    expect([most, requests.length]).toEqual([8, 20]);
  });

  test('start no further request after a failure', async () => {
    const { database, requests } = on(async (_, call) => {
      await new Promise(setImmediate);
      if (call === 1) throw Object.assign(new Error(), { name: 'AccessDeniedException' });
      return { Responses: {} };
    });
    await expect(database.get(Array.from({ length: 2000 }, (_, n) => key(`${n}`)))).rejects.toThrow();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(requests).toHaveLength(8);
  });
});

describe('a response', () => {
  test.each<[string, object]>([
    ['without items', {}],
    ['with an item without a partition', { Items: [{ sk: { S: 'a' } }] }],
    ['with an item without a sort key', { Items: [{ pk: { S: 'a' } }] }],
    ['with a key that is no text', { Items: [{ pk: { S: 'a' }, sk: { N: '1' } }] }],
    ['with one such item', { Items: [sent('a'), { pk: { N: '1' }, sk: { S: 'a' } }] }],
  ])('%s is not complete, so the query is sent again', async (_, response) => {
    const { database, requests } = on((__, call) => (call === 1 ? response : { Items: [sent('a')] }));
    expect(await database.query({ pk: 'p' })).toStrictEqual({ items: [key('a')] });
    expect(requests).toHaveLength(2);
  });

  test('without items to keys is not complete', async () => {
    const { database, requests } = on((_, call) => (call === 1 ? {} : { Responses: { table: [sent('a')] } }));
    expect(await database.get([key('a')])).toEqual([key('a')]);
    expect(requests).toHaveLength(2);
  });

  test.each([
    ['get', (database: DynamoDatabase) => database.get([key('a')])],
    ['query', (database: DynamoDatabase) => database.query({ pk: 'p' })],
  ])('to a %s that is never complete makes the table unavailable', async (name, call) => {
    const { database } = on(() => ({ UnprocessedKeys: {} }));
    await expect(call(database)).rejects.toMatchObject({
      message: `the ${name} on the table failed after all retries`,
      cause: { name: 'IncompleteResponse' },
    });
  });

  test('that never has all items names the reason', async () => {
    const { database } = on(() => ({ Responses: {}, UnprocessedKeys: { table: { Keys: [sent('a')] } } }));
    await expect(database.get([key('a')])).rejects.toMatchObject({ cause: { code: 'UnprocessedKeys' } });
  });

  test('with fewer results than statements is not complete', async () => {
    const { database, requests } = on((_, call) => ({ Responses: call === 1 ? [{}] : [{}, {}] }));
    expect(await database.write([insert('a'), insert('b')])).toEqual([true, true]);
    expect(requests).toHaveLength(2);
  });
});

describe('a query', () => {
  test('of an index continues after its own sort key', async () => {
    const last = { ...sent('b'), directory_sk: { S: 'c' } };
    const { database, requests } = on(() => ({
      Items: [],
      LastEvaluatedKey: last,
      ConsumedCapacity: { CapacityUnits: 2.5 },
    }));
    expect(await database.query({ pk: 'p', index: 'directory' })).toEqual({ items: [], next: 'c', readUnits: 2.5 });
    expect(requests[0]!.input).toMatchObject({ IndexName: 'directory', ReturnConsumedCapacity: 'TOTAL' });
  });

  test('asks for its cost only in the directory', async () => {
    const { database, requests } = on(() => ({ Items: [] }));
    await database.query({ pk: 'p' });
    await database.query({ pk: 'p', index: 'lookup_1' });
    for (const { input } of requests) expect(input).not.toHaveProperty('ReturnConsumedCapacity');
  });

  test.each([
    [{ after: 'b', to: 'b' }, 0],
    [{ after: 'c', to: 'b' }, 0],
    [{ after: 'a', to: 'b' }, 1],
    [{ after: 'c', to: 'b', descending: true }, 1],
    [{ after: 'c' }, 1],
    [{ to: 'c' }, 1],
    [{ after: '\u{10000}', to: '\uffff' }, 0],
    [{ after: '\uffff', to: '\u{10000}' }, 1],
  ])('%j sends %i requests', async (bounds, count) => {
    const { database, requests } = on(() => ({ Items: [] }));
    expect(await database.query({ pk: 'p', ...bounds })).toEqual({ items: [] });
    expect(requests).toHaveLength(count);
  });
});

describe('writes', () => {
  const results = (...codes: (string | undefined)[]) => ({
    Responses: codes.map((Code) => (Code === undefined ? {} : { Error: { Code } })),
  });

  test('say which of them happened', async () => {
    const { database } = on(() => results(undefined, 'DuplicateItem', 'ConditionalCheckFailed'));
    expect(await database.write([insert('a'), insert('b'), insert('c')])).toEqual([true, false, false]);
  });

  test('send 25 statements at once, and some updates alone', async () => {
    const { database, requests } = on(({ operation, input }) =>
      operation === 'UpdateItem' ? {} : results(...Array(input.Statements.length).fill(undefined)),
    );
    const many = Array.from({ length: 26 }, (_, n) => insert(`${n}`));
    expect(await database.write([removal('x'), ...many, removal('y')])).toEqual(Array(28).fill(true));
    expect(requests.map(({ operation, input }) => [operation, input.Statements?.length])).toEqual([
      ['BatchExecuteStatement', 25],
      ['BatchExecuteStatement', 1],
      ['UpdateItem', undefined],
      ['UpdateItem', undefined],
    ]);
  });

  test('are sent again if they failed for a time, and only those', async () => {
    const { database, requests } = on((_, call) =>
      call === 1 ? results('DuplicateItem', 'ThrottlingError', undefined) : results(undefined),
    );
    let resent = 0;
    const onResend = () => {
      resent++;
    };
    expect(await database.write([insert('a'), insert('b'), insert('c')], { onResend })).toEqual([false, true, true]);
    expect(
      requests.map(({ input }) => input.Statements.map((each: { Parameters: unknown[] }) => each.Parameters[1])),
    ).toEqual([[{ S: 'a' }, { S: 'b' }, { S: 'c' }], [{ S: 'b' }]]);
    expect(resent).toBe(1);
  });

  test('are refused for any other reason', async () => {
    const { database, requests } = on(() => results('ValidationError'));
    const refused = {
      name: 'WriteRefused',
      code: 'ValidationError',
      message: 'a write was rejected: ValidationError',
    };
    await expect(database.write([insert('a')])).rejects.toMatchObject(refused);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['ConditionalCheckFailedException', false],
    [undefined, true],
  ])('that are sent alone can fail with %s', async (name, written) => {
    const { database } = on(() => (name === undefined ? {} : throws(named(name))));
    expect(await database.write([removal('a')])).toEqual([written]);
  });

  test('that are sent alone can be refused', async () => {
    const { database } = on(() => throws(named('ValidationException')));
    await expect(database.write([removal('a')])).rejects.toThrow('ValidationException');
  });

  test('fail in the end, with the reason for the log', async () => {
    const { database, requests } = on(() => results('ThrottlingError'));
    await expect(database.write([insert('a')])).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the write on the table failed after all retries',
      cause: { name: 'LeftUndone', code: 'ThrottlingError' },
    });
    expect(requests).toHaveLength(8);
  });
});

describe('a store in trouble', () => {
  const failed = Object.assign(named('InternalServerError'), { $metadata: { httpStatusCode: 500 } });

  test.each([
    ['fails', failed],
    ['throttles', named('ThrottlingException')],
  ])('that %s gets a hundred retries from an instance, and after that each call once', async (_, error) => {
    let isInTrouble = true;
    const { database, requests } = on(() => (isInTrouble ? throws(error) : { Responses: {} }));
    const callsAtOnce = async (count: number) => {
      const before = requests.length;
      const calls = Array.from({ length: count }, () => database.get([key('a')]));
      const results = await Promise.allSettled(calls);
      return { sent: requests.length - before, failed: results.filter(({ status }) => status === 'rejected').length };
    };
    expect(await callsAtOnce(100)).toEqual({ sent: 200, failed: 100 });
    expect(await callsAtOnce(10)).toEqual({ sent: 10, failed: 10 });
    isInTrouble = false;
    expect(await callsAtOnce(10)).toEqual({ sent: 10, failed: 0 });
    isInTrouble = true;
    // Ten successes are worth two retries.
    expect(await callsAtOnce(10)).toEqual({ sent: 12, failed: 10 });
  });

  test('gets all retries of calls that succeed in the end', async () => {
    const { database, requests } = on((_, call) => (call % 8 === 0 ? { Responses: {} } : throws(failed)));
    for (let call = 0; call < 30; call++) expect(await database.get([key('a')])).toEqual([undefined]);
    expect(requests).toHaveLength(240);
  });
});

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
