import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { buildApp } from 'fauxqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventSource, startEventSource } from '../../../bin/local/functions/event-source.ts';
import type { Queue } from '../../../bin/local/storage/queue.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';

const app = buildApp({ logger: false });
let client: SQSClient;
let queue: Queue;
let source: EventSource | undefined;
let queues = 0;

beforeAll(async () => {
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  client = new SQSClient({ endpoint, region: localRegion, credentials: localCredentials });
});
afterAll(() => app.close());

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await useQueue(30);
});
afterEach(async () => {
  await source?.stop(100);
  vi.restoreAllMocks();
});

/** @param visibilityTimeout the seconds after which a message that was not deleted comes again */
async function useQueue(visibilityTimeout: number): Promise<void> {
  queues += 1;
  const QueueName = `work-${queues}.fifo`;
  const Attributes = { FifoQueue: 'true', VisibilityTimeout: `${visibilityTimeout}` };
  const { QueueUrl: url = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  queue = { url, arn: `arn:aws:sqs:us-east-1:000000000000:${QueueName}` };
}

const send = (group: string, body: string) =>
  client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: body,
      MessageGroupId: group,
      MessageDeduplicationId: body,
    }),
  );

/** Starts a source whose function responds as `work` says. */
function start(work: (event: SQSEvent) => Promise<unknown>, { batchSize = 1, maxConcurrency = 5 } = {}) {
  source = startEventSource({ client, queue, batchSize, maxConcurrency, invoke: work });
}

const messagesLeft = async () => {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const command = new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames: [...names] });
  const { Attributes = {} } = await client.send(command);
  return names.reduce((sum, name) => sum + Number(Attributes[name]), 0);
};

const bodiesOf = (event: SQSEvent) => event.Records.map((record) => record.body);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('an event source', () => {
  it('hands over messages as SQS events, and deletes what was worked', async () => {
    const events: SQSEvent[] = [];
    start(async (event) => events.push(event));
    await send('a', 'first');
    await expect.poll(() => events).toHaveLength(1);
    expect(events[0]?.Records[0]).toMatchObject({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: 'first',
      attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'a', MessageDeduplicationId: 'first' },
      eventSource: 'aws:sqs',
      eventSourceARN: queue.arn,
      awsRegion: 'us-east-1',
    });
    await expect.poll(messagesLeft).toBe(0);
  });

  it('works one message of a group at a time, in order, and other groups beside it', async () => {
    const begun: string[] = [];
    const held = Promise.withResolvers<void>();
    start(async (event) => {
      begun.push(...bodiesOf(event));
      if (begun.at(-1) === 'a1') await held.promise;
    });
    await send('a', 'a1');
    await expect.poll(() => begun).toEqual(['a1']);
    await send('a', 'a2');
    await send('b', 'b1');
    await expect.poll(() => begun).toEqual(['a1', 'b1']);
    held.resolve();
    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('runs no more than its limit at once', async () => {
    const both = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    let done = 0;
    start(
      async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 2) both.resolve();
        await both.promise;
        await pause(50);
        running -= 1;
        done += 1;
      },
      { maxConcurrency: 2 },
    );
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((group) => send(group, group)));
    await expect.poll(() => done).toBe(5);
    expect(most).toBe(2);
  });

  const failures = [
    ['throws', () => Promise.reject(new Error('broken'))],
    [
      'reports the message as failed',
      async (event: SQSEvent) => ({
        batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      }),
    ],
    ['reports a message that it was not given', async () => ({ batchItemFailures: [{ itemIdentifier: 'other' }] })],
  ] as const;
  it.each(failures)('leaves a message to come again where the function %s', async (_, fail) => {
    await useQueue(1);
    const counts: string[] = [];
    start(async (event) => {
      counts.push(event.Records[0]?.attributes.ApproximateReceiveCount ?? '');
      return counts.length === 1 ? fail(event) : undefined;
    });
    await send('a', 'again');
    // Where deleting takes longer than a second, it comes a third time.
    await expect.poll(() => counts.slice(0, 2)).toEqual(['1', '2']);
    await expect.poll(messagesLeft).toBe(0);
  });

  it('deletes the neighbours of a message that failed', async () => {
    await send('a', 'good');
    await send('b', 'bad');
    const seen: string[][] = [];
    start(
      async (event) => {
        seen.push(bodiesOf(event));
        const bad = event.Records.filter((record) => record.body === 'bad');
        return { batchItemFailures: bad.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
      { batchSize: 10 },
    );
    await expect.poll(() => seen.flat()).toContain('bad');
    await expect.poll(messagesLeft).toBe(1);
    expect(seen.flat()).toContain('good');
  });

  it('stops at once though it waits for messages, and takes none any more', async () => {
    let invoked = 0;
    start(async () => {
      invoked += 1;
    });
    await pause(50);
    const before = Date.now();
    await source?.stop(60_000);
    expect(Date.now() - before).toBeLessThan(10_000);
    await send('a', 'late');
    await pause(100);
    expect(invoked).toBe(0);
  });

  it('waits for work that is under way, but no longer than it was told', async () => {
    const begun = Promise.withResolvers<void>();
    let done = false;
    start(async () => {
      begun.resolve();
      await pause(200);
      done = true;
    });
    await send('a', 'slow');
    await begun.promise;
    await source?.stop(5000);
    expect(done).toBe(true);
    expect(await messagesLeft()).toBe(0);
  });

  it('reports invocations that fail, but not those that its stop ends', async () => {
    const ended = Promise.withResolvers<unknown>();
    const begun = Promise.withResolvers<void>();
    let calls = 0;
    await useQueue(1);
    start(() => {
      if (++calls === 1) return Promise.reject(new Error('failed'));
      begun.resolve();
      return ended.promise;
    });
    await send('a', '1');
    await begun.promise;
    const stopped = source!.stop(1000);
    ended.reject(new Error('the thread of the function has ended'));
    await stopped;
    expect(vi.mocked(console.error).mock.calls).toEqual([[new Error('failed')]]);
    expect(await messagesLeft()).toBe(1);
  });
});
