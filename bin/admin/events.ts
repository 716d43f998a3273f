import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Command } from 'commander';
import * as z from 'zod';
import { publish } from '../../lib/operations/events/publish.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { ContentCache } from '../../lib/store/content.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { type FailedBatch, recordsOfBatch } from '../local/stream-records.ts';
import type { Installation } from './installation.ts';
import { quantity } from './text.ts';
import { noIds, verb } from './verb.ts';

export function registerEvents(program: Command): void {
  const events = program.command('events').description('Events about changes of the table');
  verb(
    events
      .command('replay')
      .description('Publish the changes that the publisher gave up; possible for 24 hours after each change'),
    noIds,
    async (installation) => {
      const result = await replay(installation);
      const { published, failed, lost } = result;
      const text = `${quantity(published, 'change')} published, ${failed} failed again, ${lost} no longer in the stream.`;
      return { value: result, text };
    },
  );
}

const messageSchema = z.object({
  DDBStreamBatchInfo: z.object({
    streamArn: z.string(),
    shardId: z.string(),
    startSequenceNumber: z.string(),
    endSequenceNumber: z.string(),
    batchSize: z.int(),
  }),
});

type Replayed = { published: number; failed: number; lost: number };

/** A message whose changes fail again stays in the queue. */
async function replay(installation: Installation): Promise<Replayed> {
  const total: Replayed = { published: 0, failed: 0, lost: 0 };
  for (let message = await receive(installation); message; message = await receive(installation)) {
    const { DDBStreamBatchInfo: batch } = messageSchema.parse(JSON.parse(message.Body ?? ''));
    const { published, failed } = await publishAgain(installation, batch);
    total.published += published;
    total.failed += failed;
    if (failed > 0) continue;
    total.lost += Math.max(0, batch.batchSize - published);
    const { client, url } = installation.eventFailures();
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
  }
  return total;
}

/** The messages that this run has received stay hidden until it ends. */
const hiddenSeconds = 300;

async function receive({ eventFailures }: Installation): Promise<Message | undefined> {
  const { client, url } = eventFailures();
  const command = new ReceiveMessageCommand({ QueueUrl: url, VisibilityTimeout: hiddenSeconds, WaitTimeSeconds: 1 });
  return (await client.send(command)).Messages?.[0];
}

async function publishAgain(
  { database, retention, eventFailures }: Installation,
  batch: FailedBatch,
): Promise<{ published: number; failed: number }> {
  const records = await recordsOfBatch(await eventFailures().stream(batch.streamArn), batch);
  const dependencies = {
    ...dependenciesOn(database),
    content: new ContentCache(database, Date.now),
    productCache: new ProductCache(database),
    eventRetentionDays: retention.days.events,
    onFailure: (error: unknown, { sequence }: { sequence: string }) =>
      console.error(`The change ${sequence} failed again: ${error instanceof Error ? error.name : 'unknown error'}`),
  };
  const failed = await publish(dependencies, records);
  return { published: records.length - failed.length, failed: failed.length };
}
