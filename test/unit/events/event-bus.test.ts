import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { beforeEach, expect, test } from 'vitest';
import { busClient } from '../../../lib/store/aws/aws-clients.ts';
import { EventBus } from '../../../lib/store/events/event-bus.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { answering } from '../../support/aws/connection.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';
import { event, numbered, numberOf } from '../../support/samples/events.ts';

let calls: PutEventsRequestEntry[][];
/** The error code of an entry, by the number of its call. */
let failing: (call: number, entry: number) => string | undefined;
let statusCode: number;
let bus: EventBus;

beforeEach(() => {
  calls = [];
  failing = () => undefined;
  statusCode = 200;
  const requestHandler = answering(async ({ headers, body }) => {
    expect(headers['x-amz-target']).toBe('AWSEvents.PutEvents');
    const sent = JSON.parse(body).Entries as PutEventsRequestEntry[];
    const Entries = sent.map((_, index) => ({ EventId: 'e', ErrorCode: failing(calls.length, index) }));
    calls.push(sent);
    const FailedEntryCount = Entries.filter(({ ErrorCode }) => ErrorCode).length;
    return { statusCode, body: JSON.stringify({ FailedEntryCount, Entries, __type: 'InternalException' }) };
  });
  const access = { region: localRegion, credentials: localCredentials, requestHandler };
  bus = new EventBus('arn:bus', busClient(access), () => 1);
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
  statusCode = 500;
  await expect(bus.put(numbered(1, 1))).rejects.toBeInstanceOf(StoreUnavailable);
  expect(calls.length).toBeGreaterThan(3);
});

test('an event that the bus refuses is a defect', async () => {
  failing = () => 'MalformedDetail';
  await expect(bus.put(numbered(1, 1))).rejects.toMatchObject({ code: 'MalformedDetail' });
  expect(calls).toHaveLength(1);
});
