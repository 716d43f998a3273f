import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type FaultProxy, faultProxy } from '../support/fault-proxy.ts';
import { listen } from '../support/loopback.ts';
import { Random } from '../support/random.ts';
import { type FaultKind, FaultPlan, faultOf } from './faults.ts';

/** A stand-in for the database. It records what took effect. */
const effects: string[] = [];
const server = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const done: string[] = body.Statements ?? body.RequestItems?.table.Keys ?? ['whole'];
  effects.push(...done);
  response.end(JSON.stringify({ Responses: done.map((each) => ({ done: each })) }));
});

let database: Awaited<ReturnType<typeof listen>>;
let proxy: FaultProxy;
const plan = new FaultPlan('dynamodb', new Random(1, 'test'));
beforeAll(async () => {
  database = await listen(server);
  proxy = await faultProxy(database.endpoint, (request) => {
    const fault = plan.faultFor(request.operation);
    return fault && faultOf(fault, 'dynamodb', plan, request);
  });
});
afterAll(() => {
  proxy.stop();
  database.stop();
});
beforeEach(() => {
  effects.length = 0;
  vi.restoreAllMocks();
});

async function send(
  fault: FaultKind | undefined,
  operation = 'TransactWriteItems',
  body: object = { TransactItems: [1, 2] },
) {
  vi.spyOn(plan, 'faultFor').mockReturnValue(fault);
  vi.spyOn(plan, 'lateMilliseconds').mockReturnValue(1000);
  vi.spyOn(plan, 'delayMilliseconds').mockReturnValue(20);
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  // Only a request without any response has to time out; others may be slow on a busy machine.
  const signal = AbortSignal.timeout(fault?.startsWith('hang') || fault === 'late' ? 300 : 10_000);
  try {
    const response = await fetch(proxy.endpoint, { method: 'POST', headers, body: JSON.stringify(body), signal });
    return { status: response.status, body: JSON.parse(await response.text()) };
  } catch {
    return undefined;
  }
}

it('passes on what meets no fault', async () => {
  expect(await send(undefined)).toEqual({ status: 200, body: { Responses: [{ done: 'whole' }] } });
});

it.each<[FaultKind, number | undefined, boolean]>([
  ['throttled', 400, false],
  ['conflict', 400, false],
  ['error-500-before', 500, false],
  ['error-500-after', 500, true],
  ['reset-before', undefined, false],
  ['reset-after', undefined, true],
  ['truncated', undefined, true],
  ['delay', 200, true],
  ['hang', undefined, false],
  ['hang-after', undefined, true],
  ['hang-reset', undefined, false],
])('%s: status %s, took effect: %s', async (fault, status, tookEffect) => {
  expect((await send(fault))?.status).toBe(status);
  await vi.waitFor(() => expect(effects).toEqual(tookEffect ? ['whole'] : []));
});

it('late: takes effect when its sender has given up', async () => {
  expect(await send('late')).toBeUndefined();
  expect(effects).toEqual([]);
  await proxy.quiet();
  expect(effects).toEqual(['whole']);
});

it('a conflict names a reason for each write of the transaction', async () => {
  const { body } = (await send('conflict'))!;
  expect(body.CancellationReasons).toEqual([{ Code: 'TransactionConflict', Message: 'injected' }, { Code: 'None' }]);
});

it('throttles some statements, each response at the place of its statement', async () => {
  const Statements = Array.from({ length: 20 }, (_, place) => `s${place}`);
  const { body } = (await send('throttled-parts', 'BatchExecuteStatement', { Statements }))!;
  const done = Statements.map((each) => (effects.includes(each) ? { done: each } : undefined));
  expect(body.Responses.map((each: { done?: string }) => (each.done ? each : undefined))).toEqual(done);
  expect(effects.length).toBeGreaterThan(0);
  expect(effects.length).toBeLessThan(20);
  expect(body.Responses).toContainEqual({ Error: { Code: 'ThrottlingError', Message: 'injected' } });
});

it('throttles some keys, and names them as unprocessed', async () => {
  const Keys = Array.from({ length: 20 }, (_, place) => `k${place}`);
  const { body } = (await send('throttled-parts', 'BatchGetItem', { RequestItems: { table: { Keys } } }))!;
  expect([...effects, ...body.UnprocessedKeys.table.Keys].sort()).toEqual([...Keys].sort());
  expect(effects.length).toBeGreaterThan(0);
  expect(effects.length).toBeLessThan(20);
});

it('the same seed makes the same choices, and none before the start or after the end', () => {
  const choices = (seed: number) => {
    const same = new FaultPlan('dynamodb', new Random(seed, 'dynamodb'));
    const draw = () => Array.from({ length: 500 }, () => same.faultFor('TransactWriteItems'));
    expect(new Set(draw())).toEqual(new Set([undefined]));
    same.start();
    const chosen = draw();
    same.stop();
    expect(new Set(draw())).toEqual(new Set([undefined]));
    return chosen;
  };
  expect(choices(1)).toEqual(choices(1));
  expect(choices(1)).not.toEqual(choices(2));
});
