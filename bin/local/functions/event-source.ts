import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { shortRequests } from '../../../lib/store/aws/connections.ts';
import type { Queue } from '../storage/queue.ts';
import { within } from '../timing.ts';

export type EventSourceOptions = {
  client: SQSClient;
  queue: Queue;
  batchSize: number;
  /** Parallel invocations. The queue itself allows one per message group. */
  maxConcurrency: number;
  invoke: (event: SQSEvent) => Promise<unknown>;
};

export type EventSource = { stop(graceMilliseconds: number): Promise<void> };

const pollSeconds = 20;
const pauseAfterError = 500;

/**
 * Works as Lambda's event source mapping with partial batch responses: it receives messages, invokes the function and
 * deletes the messages that succeeded. Failed messages return after the visibility timeout.
 */
export function startEventSource(options: EventSourceOptions): EventSource {
  const { client, queue } = options;
  const stopping = new AbortController();
  const invocations = new Set<Promise<void>>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const messages = await receive();
      if (messages.length === 0) continue;
      const invocation = work(messages).finally(() => invocations.delete(invocation));
      invocations.add(invocation);
      if (invocations.size >= options.maxConcurrency) await Promise.race(invocations);
    }
    await Promise.all(invocations);
  }

  async function receive(): Promise<Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: queue.url,
      MaxNumberOfMessages: options.batchSize,
      WaitTimeSeconds: pollSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    try {
      const { Messages = [] } = await client.send(command, { abortSignal: stopping.signal });
      return Messages;
    } catch (error) {
      if (!stopping.signal.aborted) {
        console.error('The queue did not respond:', error);
        await sleep(pauseAfterError);
      }
      return [];
    }
  }

  async function work(messages: Message[]): Promise<void> {
    const event: SQSEvent = { Records: messages.map((message) => recordOf(message, queue.arn)) };
    const ids = messages.map((message) => message.MessageId ?? '');
    const failed = await options
      .invoke(event)
      .then((result) => failedOf(result, ids))
      .catch((error: unknown) => {
        // The stop ends invocations that take too long; their messages are delivered again at the next start.
        if (!stopping.signal.aborted) console.error(error);
        return new Set(ids);
      });
    const done = messages.filter((message) => !failed.has(message.MessageId ?? ''));
    if (done.length === 0) return;
    const Entries = done.map((message, index) => ({ Id: String(index), ReceiptHandle: message.ReceiptHandle }));
    // A message that is not deleted is delivered again, which the functions must tolerate anyway.
    const command = new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries });
    await client.send(command, { requestTimeout: shortRequests.requestTimeout }).catch((error: unknown) => {
      console.error('A processed message could not be deleted:', error);
    });
  }

  const running = run();
  return {
    stop: async (graceMilliseconds) => {
      stopping.abort();
      await within(graceMilliseconds, running);
    },
  };
}

/** As in Lambda, all messages fail if the response names an unknown message. */
function failedOf(result: unknown, ids: readonly string[]): Set<string> {
  const failures = (result as SQSBatchResponse | null | undefined)?.batchItemFailures ?? [];
  const named = failures.map((failure) => failure.itemIdentifier);
  return named.every((id) => ids.includes(id)) ? new Set(named) : new Set(ids);
}

function recordOf(message: Message, arn: string): SQSRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
    name,
    { dataType: value.DataType, stringValue: value.StringValue },
  ]);
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: message.Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: arn.split(':')[3] ?? '',
  };
}
