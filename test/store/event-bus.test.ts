import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { busClient } from '../../lib/store/aws-clients.ts';
import { StoreUnavailable } from '../../lib/store/database.ts';
import { EventBus } from '../../lib/store/event-bus.ts';
import { event, numbered, numberOf } from '../support/events.ts';

/** An endpoint that records the calls. */
let calls: PutEventsRequestEntry[][];
/** The error code of an entry, by the number of its call. */
let failing: (call: number, entry: number) => string | undefined;
let status = 200;
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { Entries } = JSON.parse(body) as { Entries: PutEventsRequestEntry[] };
  expect(request.headers['x-amz-target']).toBe('AWSEvents.PutEvents');
  const entries = Entries.map((_, index) => ({ EventId: 'e', ErrorCode: failing(calls.length, index) }));
  calls.push(Entries);
  const FailedEntryCount = entries.filter(({ ErrorCode }) => ErrorCode).length;
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(
    JSON.stringify(status === 200 ? { FailedEntryCount, Entries: entries } : { __type: 'InternalException' }),
  );
});
let bus: EventBus;

beforeEach(async () => {
  calls = [];
  failing = () => undefined;
  status = 200;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  bus = new EventBus('arn:bus', busClient({ endpoint, region: 'eu-central-1', credentials }), () => 1);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const sent = () => calls.map((entries) => entries.map(({ Detail }) => numberOf(JSON.parse(Detail!))));

test('every event is put with its type, its time and itself, ten in a request', async () => {
  await bus.put([event(1, { type: 'batch.failed', batch_id: 'b' }), ...numbered(2, 24)]);
  expect(calls.map((entries) => entries.length)).toEqual([10, 10, 5]);
  const { Time, Detail, ...entry } = calls.flat().find(({ DetailType }) => DetailType === 'batch.failed')!;
  expect(entry).toEqual({ EventBusName: 'arn:bus', Source: 'onboarding', DetailType: 'batch.failed' });
  expect(JSON.parse(Detail!)).toEqual(event(1, { type: 'batch.failed', batch_id: 'b' }));
  expect(new Date(Number(Time) * 1000)).toEqual(new Date('2026-03-01T12:00:00Z'));
  expect(
    sent()
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(numbered(1, 25).map(numberOf));
});

test('entries that failed are put again, and no others', async () => {
  failing = (call, entry) => (call < 2 && entry % 2 === 0 ? 'ThrottlingException' : undefined);
  await bus.put(numbered(1, 5));
  expect(sent()).toEqual([
    [1, 2, 3, 4, 5],
    [1, 3, 5],
    [1, 5],
  ]);
});

test('a bus that stays unavailable is an error that can end', async () => {
  status = 500;
  await expect(bus.put(numbered(1, 1))).rejects.toBeInstanceOf(StoreUnavailable);
  expect(calls.length).toBeGreaterThan(3);
});

test('an event that the bus refuses is a defect', async () => {
  failing = () => 'MalformedDetail';
  await expect(bus.put(numbered(1, 1))).rejects.toMatchObject({ code: 'MalformedDetail' });
  expect(calls).toHaveLength(1);
});
