import { DeleteMessageCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { DefectiveRecords, type PublishService, publish } from '../../../lib/operations/events/publish.ts';
import { wakeWebhooks } from '../../../lib/operations/events/wake-webhooks.ts';
import type { Service } from '../../../lib/operations/service.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { recordsOfBatch } from '../../local/stream/records.ts';
import type { Installation } from '../installation.ts';
import { quantity } from '../text.ts';
import { noun, verb } from '../verb.ts';

export const verbs = noun('Events about changes of the table', {
  replay: verb({
    does: 'Publish the changes that the publisher gave up; possible for 24 hours after each change',
    run: async (installation) => {
      const value = await replay(installation);
      const { published, failed, lost, lost_from, lost_to } = value;
      const text = `${quantity(published, 'change')} published, ${failed} failed again, ${lost} no longer in the stream.`;
      const notes = `The stream keeps changes for 24 hours. What changed between ${lost_from} and ${lost_to} is in part not told: see EventsFailed in docs/runbook.md.`;
      return { value, text, notes: lost > 0 ? notes : undefined };
    },
  }),
});

const messageSchema = z.object({
  DDBStreamBatchInfo: z.object({
    streamArn: z.string(),
    /** Lambda names it, the publisher itself does not know it. */
    shardId: z.string().optional(),
    startSequenceNumber: z.string(),
    endSequenceNumber: z.string(),
    approximateArrivalOfFirstRecord: z.string(),
    approximateArrivalOfLastRecord: z.string(),
    batchSize: z.int(),
  }),
});

/** `lost`: the number of changes that are no longer in the stream, and between which times they were made. */
type Replayed = { published: number; failed: number; lost: number; lost_from: string | null; lost_to: string | null };

/** A message whose changes fail again stays in the queue. */
export async function replay(installation: ReplayInstallation): Promise<Replayed> {
  const total: Replayed = { published: 0, failed: 0, lost: 0, lost_from: null, lost_to: null };
  const { client, url, stream } = await installation.eventFailures();
  const service = await serviceOf(installation);
  for (let message = await receive(client, url); message; message = await receive(client, url)) {
    const { DDBStreamBatchInfo: batch } = messageSchema.parse(JSON.parse(message.Body ?? ''));
    const records = await recordsOfBatch(await stream(batch.streamArn), batch);
    const failed = await publishAgain(service, records);
    total.published += records.length - failed;
    total.failed += failed;
    if (failed > 0) continue;
    const lost = Math.max(0, batch.batchSize - records.length);
    if (lost > 0) {
      const { approximateArrivalOfFirstRecord: from, approximateArrivalOfLastRecord: to } = batch;
      total.lost += lost;
      if (total.lost_from === null || from < total.lost_from) total.lost_from = from;
      if (total.lost_to === null || to > total.lost_to) total.lost_to = to;
    }
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
  }
  return total;
}

/** The messages that this run has received stay hidden until it ends. */
const hiddenSeconds = 300;

async function receive(client: SQSClient, url: string): Promise<Message | undefined> {
  const command = new ReceiveMessageCommand({ QueueUrl: url, VisibilityTimeout: hiddenSeconds, WaitTimeSeconds: 1 });
  return (await client.send(command)).Messages?.[0];
}

export type ReplayInstallation = Pick<
  Installation,
  keyof Service | 'baseUrl' | 'retention' | 'eventFailures' | 'eventEpoch' | 'eventBus' | 'wake'
>;

async function serviceOf(installation: ReplayInstallation): Promise<PublishService> {
  const { database, retention, eventBus, wake } = installation;
  // The sweep sends a wake that is lost.
  const wakes = { database, wake: (lane: Lane) => wake(lane).catch(() => {}) };
  return {
    ...installation,
    content: new ContentCache(database, Date.now),
    productCache: new ProductCache(database),
    eventRetentionDays: retention.days.events,
    bus: await eventBus(),
    wake: (teamId, before) => wakeWebhooks(wakes, teamId, before),
    onFailure: (error, { sequence }) =>
      console.error(`The change ${sequence} failed again: ${error instanceof Error ? error.name : 'unknown error'}`),
  };
}

/** @returns the number of records that fail again. What has a defect is separated from the others. */
async function publishAgain(service: PublishService, records: readonly DynamoDBRecord[]): Promise<number> {
  try {
    return (await publish(service, records)).length === 0 ? 0 : records.length;
  } catch (error) {
    if (!(error instanceof DefectiveRecords)) throw error;
    if (records.length === 1) return 1;
    const middle = Math.ceil(records.length / 2);
    const first = await publishAgain(service, records.slice(0, middle));
    return first + (await publishAgain(service, records.slice(middle)));
  }
}
