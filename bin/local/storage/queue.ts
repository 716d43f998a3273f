import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import {
  dropQueue,
  feedbackQueue,
  importQueue,
  type MessageQueueName,
  messageQueue,
  noticeQueue,
  type QueueName,
  tableStream,
  targetingQueue,
  webhookQueue,
} from '../../../lib/background.ts';
import { longRequests } from '../../../lib/store/aws/connections.ts';
import { localAccess } from '../functions/environment.ts';
import { isFromBrowser, loopback, portFailure } from '../ports.ts';

export type Queue = { url: string; arn: string };
/** The queue of each function, and its dead-letter queue. */
export type QueuePair = Queue & { deadLetters: Queue };
export type Queues = Record<QueueName | MessageQueueName, QueuePair> & {
  endpoint: string;
  /** Messages about changes of the table that could not be published. */
  eventFailures: Queue;
  client: SQSClient;
  send(queue: Queue, body: string): Promise<unknown>;
  stop(): Promise<void>;
};

/** The embedded SQS-compatible queues, in memory. At the next start, open claims in the table restore the work. */
export async function startQueues(port: number): Promise<Queues> {
  const app = buildApp({ logger: false });
  app.addHook('onRequest', async (request, reply) => {
    if (isFromBrowser(request))
      await reply.code(403).send({ message: 'The embedded queue rejects requests from browsers.' });
  });
  const endpoint = await app.listen({ port, host: loopback }).catch((error: NodeJS.ErrnoException) => {
    throw portFailure(error, port, 'SQS_PORT');
  });
  const client = new SQSClient({ endpoint, requestHandler: longRequests });
  const create = (name: string, attributes: Attributes) => createQueue(client, endpoint, name, attributes);
  const pair = async (name: string, deadLetterName: string, settings: QueueSettings): Promise<QueuePair> => {
    const kept = keptFor(settings.retention);
    const deadLetters = await create(deadLetterName, kept);
    const queue = await create(name, {
      ...kept,
      VisibilityTimeout: String(settings.visibilityTimeout),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: deadLetters.arn,
        maxReceiveCount: settings.maxReceiveCount,
      }),
    });
    return { ...queue, deadLetters };
  };
  return {
    endpoint,
    imports: await pair('imports.fifo', 'import-dead-letters.fifo', importQueue),
    notices: await pair('drop-notices', 'drop-notice-dead-letters', noticeQueue),
    drops: await pair('drops.fifo', 'drop-dead-letters.fifo', dropQueue),
    webhooks: await pair('webhooks.fifo', 'webhook-dead-letters.fifo', webhookQueue),
    targeting: await pair('targeting.fifo', 'targeting-dead-letters.fifo', targetingQueue),
    messages: await pair('messages.fifo', 'message-dead-letters.fifo', messageQueue),
    feedback: await pair('feedback', 'feedback-dead-letters', feedbackQueue),
    eventFailures: await create('event-failures', keptFor(tableStream.failureRetention)),
    client,
    send: ({ url }, MessageBody) => client.send(new SendMessageCommand({ QueueUrl: url, MessageBody })),
    stop: async () => {
      client.destroy();
      await app.close();
    },
  };
}

type Attributes = Record<string, string>;
type QueueSettings = { visibilityTimeout: number; maxReceiveCount: number; retention: number };

const keptFor = (seconds: number) => ({ MessageRetentionPeriod: String(seconds) });

async function createQueue(client: SQSClient, endpoint: string, name: string, attributes: Attributes): Promise<Queue> {
  const fifo = name.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
  const command = new CreateQueueCommand({ QueueName: name, Attributes: { ...fifo, ...attributes } });
  const { QueueUrl: given = '' } = await client.send(command);
  // The returned URL has a host that not every resolver knows, so only its path is used.
  const url = new URL(new URL(given).pathname, endpoint).href;
  return { url, arn: `arn:aws:sqs:${localAccess.region}:000000000000:${name}` };
}
