import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ReplayInstallation, replay } from '../../../bin/admin/events/events.ts';
import { sequenceOf } from '../../../bin/local/stream/records.ts';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { createWebhook } from '../../../lib/operations/events/webhooks.ts';
import type { EventBus } from '../../../lib/store/events/event-bus.ts';
import { idOf, post, team } from '../../support/operations/journey-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { openStream, publishAll, stream } from '../../support/operations/publishing.ts';
import { readAll } from '../../support/samples/events.ts';

let messages: string[];
let woken: string[];
let onBus: ServiceEvent[];

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  [messages, woken, onBus] = [[], [], []];
  await openStream();
});
afterEach(() => vi.restoreAllMocks());

/** A message of the on-failure queue about these changes, in the form of Lambda. */
const giveUp = (
  from: number,
  to: number,
  between = ['2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z'],
  shardId: string | undefined = 'shard',
) =>
  messages.push(
    JSON.stringify({
      requestContext: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: {
        ...(shardId === '' ? {} : { shardId }),
        startSequenceNumber: String(from),
        endSequenceNumber: String(to),
        approximateArrivalOfFirstRecord: between[0],
        approximateArrivalOfLastRecord: between[1],
        batchSize: to - from + 1,
        streamArn: 'arn',
      },
    }),
  );

/** The queue hides what was received. The stream keeps the records from `oldest` on. */
function installation(oldest = 1): ReplayInstallation {
  const waiting = [...messages];
  const client = {
    send: async (command: unknown) => {
      if (command instanceof ReceiveMessageCommand) {
        const Body = waiting.shift();
        return Body === undefined ? {} : { Messages: [{ Body, ReceiptHandle: Body }] };
      }
      if (!(command instanceof DeleteMessageCommand)) throw new Error('not expected');
      messages = messages.filter((body) => body !== command.input.ReceiptHandle);
      return {};
    },
  };
  const records = (stream.records as DynamoDBRecord[]).filter((record) => Number(sequenceOf(record)) >= oldest);
  return {
    ...serviceOn(stream),
    retention: { days: { events: 30 } as ReplayInstallation['retention']['days'] },
    wake: async ({ id }) => void woken.push(id!),
    eventBus: async () => ({ put: async (events) => void onBus.push(...events) }) as EventBus,
    eventFailures: async () => ({
      client: client as unknown as SQSClient,
      url: 'https://queue.example',
      stream: async () => ({
        shards: async () => [{ id: 'closed', last: '2' }, { id: 'other' }, { id: 'shard' }],
        pages: async function* (shardId) {
          if (shardId === 'closed') throw new Error('cannot have the record');
          // A page has as many records as fit into 1 MB.
          for (const record of shardId === 'shard' ? records : [])
            yield { records: [record], last: sequenceOf(record), isFull: false };
        },
      }),
    }),
  };
}

const told = async () => (await readAll(stream, undefined, 1000, team)).events;
const nothingLost = { failed: 0, lost: 0, lost_from: null, lost_to: null };

test('publishes what was given up to the feed, the bus and the webhooks, with the ids of the first time', async () => {
  const target = { team_id: team, url: 'https://receiver.example.com/', types: null };
  for (const name of ['a', 'b', 'c']) await post({ unique_id: name });
  const first = stream.records.length - 2;
  await publishAll();
  const before = await told();
  const { webhook } = await createWebhook({ ...serviceOn(stream), wake: async () => {} }, target, undefined);
  giveUp(first, first + 1);
  giveUp(first + 2, first + 2);
  expect(await replay(installation())).toEqual({ ...nothingLost, published: 3 });
  expect((await told()).slice(before.length)).toEqual(before);
  expect(onBus).toEqual(before);
  expect(before.map(({ contact_id }) => contact_id)).toEqual(['a', 'b', 'c'].map(idOf));
  // After the first wake the webhook is at work until it has read everything.
  expect(woken).toEqual([webhook.webhook_id]);
  expect(messages).toEqual([]);
});

test('finds what the publisher itself gave up, which does not know the shard', async () => {
  for (const name of ['a', 'b', 'c']) await post({ unique_id: name });
  const second = stream.records.length - 1;
  giveUp(second, second, undefined, '');
  expect(await replay(installation())).toEqual({ ...nothingLost, published: 1 });
  expect((await told()).map(({ contact_id }) => contact_id)).toEqual([idOf('b')]);
  expect(messages).toEqual([]);
});

test('separates what fails again, whose message stays in the queue', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await post({ unique_id: name });
  const first = stream.records.length - 3;
  Object.assign(stream.records[first]!.dynamodb!.NewImage!, { version: { S: 'x' } });
  giveUp(first, first + 3);
  expect(await replay(installation())).toEqual({ ...nothingLost, published: 3, failed: 1 });
  expect(new Set((await told()).map(({ contact_id }) => contact_id))).toEqual(new Set(['a', 'c', 'd'].map(idOf)));
  expect(messages).toHaveLength(1);
});

test('says how many changes the stream no longer has, and when they were made', async () => {
  for (const name of ['a', 'b', 'c']) await post({ unique_id: name });
  const first = stream.records.length - 2;
  giveUp(first + 1, first + 1, ['2026-03-01T12:10:00Z', '2026-03-01T12:10:00Z']);
  giveUp(first, first, ['2026-03-01T12:00:00Z', '2026-03-01T12:05:00Z']);
  giveUp(first + 2, first + 2, ['2026-03-02T12:00:00Z', '2026-03-02T12:00:00Z']);
  const between = { lost_from: '2026-03-01T12:00:00Z', lost_to: '2026-03-01T12:10:00Z' };
  expect(await replay(installation(first + 2))).toEqual({ published: 1, failed: 0, lost: 2, ...between });
  expect((await told()).map(({ contact_id }) => contact_id)).toEqual([idOf('c')]);
  expect(messages).toEqual([]);
});
