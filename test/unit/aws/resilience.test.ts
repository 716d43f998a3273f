import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { shortRequests } from '../../../lib/store/aws/connections.ts';
import { tableClient } from '../../../lib/store/aws/table-client.ts';
import { type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { type Fault, faultProxy, lateClock, type ProxiedRequest, storeError } from '../../support/aws/fault-proxy.ts';
import { freshTable, localCredentials, localRegion, patientRequests } from '../../support/engine/engine.ts';

const { database: direct, tableName } = await freshTable();
const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

const clientOf = (options: object) =>
  tableClient({
    region: localRegion,
    credentials: localCredentials,
    ...options,
  });

/** The database behind a proxy that injects the faults of `fault`. By default, it waits for a machine that stalls. */
async function behind(fault: (request: ProxiedRequest) => Fault | undefined, requestHandler = patientRequests) {
  const proxy = await faultProxy(inject('dynamodbEndpoint'), fault);
  stops.push(proxy.stop);
  return {
    database: new DynamoDatabase({
      tableName,
      client: clientOf({ endpoint: proxy.endpoint, requestHandler }),
      backoff: () => 1,
    }),
    requests: proxy.requests,
  };
}

type Call = { operation: string; run(database: Database, pk: string): Promise<unknown>; expected: unknown };

/** Each kind of request, with an existing item `a` that has version 1 and two more attributes. */
const calls: Call[] = [
  {
    operation: 'BatchGetItem',
    run: async (database, pk) => (await database.get([{ pk, sk: 'a' }])).map((item) => item?.version),
    expected: [1],
  },
  {
    operation: 'Query',
    run: async (database, pk) => (await database.query({ pk })).items.map((item) => item.version),
    expected: [1],
  },
  {
    operation: 'BatchExecuteStatement',
    run: (database, pk) => database.write([{ kind: 'update', key: { pk, sk: 'a' }, set: { n: 1 }, expect: {} }]),
    expected: [true],
  },
  {
    operation: 'UpdateItem',
    run: (database, pk) =>
      database.write([{ kind: 'update', key: { pk, sk: 'a' }, set: { x: undefined, y: undefined }, expect: {} }]),
    expected: [true],
  },
  {
    operation: 'TransactWriteItems',
    run: (database, pk) => database.transact([{ kind: 'update', key: { pk, sk: 'a' }, set: { n: 1 }, expect: {} }]),
    expected: true,
  },
];

async function given(): Promise<string> {
  const pk = `resilience#${randomUUID()}`;
  await direct.write([{ kind: 'insert', item: { pk, sk: 'a', version: 1, x: 1, y: 1 } }]);
  return pk;
}

const faults: [what: string, fault: Fault][] = [
  ['throttling', storeError('ProvisionedThroughputExceededException')],
  ['throttling of the account', storeError('ThrottlingException')],
  ['a throttle without a type', { status: 429, body: '{}' }],
  ['an error that only a header names', { status: 400, body: '{}', headers: { 'x-amzn-errortype': 'Throttling:' } }],
  ['an error that is null', { status: 400, body: 'null' }],
  ['an internal error that is null', { status: 500, body: 'null' }],
  ['an error that is a text', { status: 500, body: '"away"' }],
  ['a clock that is wrong', { ...storeError('InvalidSignatureException'), headers: lateClock() }],
  ['a response that is not HTTP', { unreadable: true }],
  ['an internal error', storeError('InternalServerError', 500)],
  ['an error without a body', { status: 503, body: '' }],
  ['an error page of something in between', { status: 502, body: '<html>Bad gateway</html>' }],
  ['expired credentials', storeError('ExpiredTokenException')],
  ['credentials that are not known any more', storeError('UnrecognizedClientException')],
  ['a connection that breaks before the request', { lost: 'before' }],
  ['a connection that breaks before the response', { lost: 'after' }],
  ['a connection that breaks within the response', { lost: 'midway' }],
];

/** The SDK reads errors, and the table repeats calls, in the same way for all operations. */
test.each(faults)('a read is tried again after %s, and is unavailable where it does not end', async (_, fault) => {
  const [{ run, expected }] = calls as [Call];
  const pk = await given();
  const passing = await behind(() => (passing.requests.length <= 2 ? fault : undefined));
  expect(await run(passing.database, pk)).toEqual(expected);
  expect(passing.requests).toHaveLength(3);
  const lasting = await behind(() => fault);
  await expect(run(lasting.database, pk)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(lasting.requests).toHaveLength(8);
});

test.each(['ValidationException', 'ResourceNotFoundException'])('a read fails at once for %s', async (name) => {
  const { database, requests } = await behind(() => storeError(name));
  await expect(calls[0]!.run(database, await given())).rejects.toMatchObject({ name });
  expect(requests).toHaveLength(1);
});

describe.each(calls)('$operation', ({ operation, run, expected }) => {
  test.each<[string, Fault]>([
    ['throttling', storeError('ThrottlingException')],
    ['an internal error', storeError('InternalServerError', 500)],
    ['a connection that breaks before the response', { lost: 'after' }],
    ['a connection that breaks within the response', { lost: 'midway' }],
  ])('is tried again after %s', async (_, fault) => {
    const { database, requests } = await behind(() => (requests.length <= 2 ? fault : undefined));
    expect(await run(database, await given())).toEqual(expected);
    expect(requests.map((request) => request.operation)).toEqual([operation, operation, operation]);
  });

  test('is unavailable where throttling does not end', async () => {
    const { database, requests } = await behind(() => storeError('ThrottlingException'));
    await expect(run(database, await given())).rejects.toBeInstanceOf(StoreUnavailable);
    expect(requests).toHaveLength(8);
  });

  test('fails at once, as a defect of ours, for a missing permission', async () => {
    const { database, requests } = await behind(() => storeError('AccessDeniedException'));
    await expect(run(database, await given())).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(requests).toHaveLength(1);
  });
});

// The responses of UpdateItem and of a transaction are empty, so no part can be missing.
const answered = calls.filter(({ operation }) => operation !== 'UpdateItem' && operation !== 'TransactWriteItems');

describe.each(answered)('$operation', ({ run, expected }) => {
  test.each([0, 0.5])('does not take a response cut to %f for the whole', async (cut) => {
    const { database, requests } = await behind(() => (requests.length <= 2 ? { cut } : undefined));
    expect(await run(database, await given())).toEqual(expected);
    expect(requests).toHaveLength(3);
    const failing = await behind(() => ({ cut }));
    await expect(run(failing.database, await given())).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('a connection that cannot be made', () => {
  const failing = (error: Error) => ({
    requestHandler: { metadata: {}, handle: () => Promise.reject(error), destroy: () => {} },
  });
  const named = (code: string) => Object.assign(new Error(code), { code });
  const expired = Object.assign(new Error('no credentials'), { name: 'CredentialsProviderError' });

  test.each([
    ...['EAI_AGAIN', 'ENOTFOUND', 'ECONNABORTED', 'ECONNREFUSED', 'EHOSTUNREACH', 'EPIPE'].map(
      (code): [string, object] => [code, failing(named(code))],
    ),
    ['socket hang up', failing(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))],
    ['credentials that cannot be had', { credentials: () => Promise.reject(expired) }],
    ['a name that is not known', { endpoint: 'http://nowhere.invalid' }],
  ])('is told as unavailable: %s', async (_, options) => {
    const client = clientOf({ endpoint: 'http://127.0.0.1:1', ...options });
    const database = new DynamoDatabase({ tableName, client, backoff: () => 1 });
    await expect(database.get([{ pk: 'a', sk: 'a' }])).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('a transaction whose response is lost', () => {
  test('is committed once, and told as committed, under one token in all rounds', async () => {
    const { database, requests } = await behind(() => (requests.length <= 2 ? { lost: 'after' } : undefined));
    const pk = await given();
    const committed = await database.transact([
      { kind: 'insert', item: { pk, sk: 'new' } },
      { kind: 'update', key: { pk, sk: 'a' }, set: { version: 2 }, expect: { version: 1 } },
    ]);
    expect(committed).toBe(true);
    expect(await direct.get([{ pk, sk: 'new' }])).toEqual([{ pk, sk: 'new' }]);
    const tokens = requests.map(({ body }) => body.ClientRequestToken);
    expect(tokens).toEqual([tokens[0], tokens[0], tokens[0]]);
  });

  test('has another token than the next one, though it is the same', async () => {
    const { database, requests } = await behind(() => undefined);
    const pk = await given();
    const insert = () => database.transact([{ kind: 'insert', item: { pk, sk: 'new' } }]);
    expect([await insert(), await insert()]).toEqual([true, false]);
    const [first, second] = requests.map(({ body }) => body.ClientRequestToken);
    expect(first).not.toEqual(second);
  });
});

describe.concurrent('a store that does not answer', () => {
  test.each(['before', 'midway'] as const)('once, %s its response, is asked again', async (hangs) => {
    const { database, requests } = await behind(() => (requests.length === 1 ? { hangs } : undefined), shortRequests);
    const pk = await given();
    const started = performance.now();
    const results = await Promise.all(calls.map(({ run }) => run(database, pk)));
    expect(results).toEqual(calls.map(({ expected }) => expected));
    expect(performance.now() - started).toBeLessThan(shortRequests.requestTimeout + 10_000);
    expect(requests).toHaveLength(calls.length + 1);
  });

  test('ever again is unavailable after three requests of three seconds, for every call', async () => {
    const proxy = await faultProxy(inject('dynamodbEndpoint'), () => ({ hangs: 'before' }));
    stops.push(proxy.stop);
    const database = new DynamoDatabase({ tableName, client: clientOf({ endpoint: proxy.endpoint }) });
    const pk = await given();
    const keys = Array.from({ length: 2000 }, (_, n) => ({ pk, sk: `${n}` }));
    const started = performance.now();
    const results = await Promise.allSettled([database.get(keys), ...calls.map(({ run }) => run(database, pk))]);
    for (const result of results) {
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(StoreUnavailable);
    }
    // The limit of the time is that of a machine that stalls.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(shortRequests).toMatchObject({ requestTimeout: 3000, socketTimeout: 3000 });
    const requestsOfKeys = keys.length / 100;
    expect(proxy.requests.length).toBeLessThanOrEqual(3 * (requestsOfKeys + calls.length));
  });
});
