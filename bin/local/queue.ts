import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import {
  dropQueue,
  importQueue,
  noticeQueue,
  type QueueName,
  tableStream,
  webhookQueue,
} from '../../lib/background.ts';
import { longRequests } from '../../lib/store/connections.ts';
import { isFromBrowser } from './browser.ts';
import { loopback, portFailure } from './ports.ts';

export type Queue = { url: string; arn: string };
/** The queue of each function, and its dead-letter queue. */
export type QueuePair = Queue & { deadLetters: Queue };
export type Queues = Record<QueueName, QueuePair> & {
  endpoint: string;
  /** Messages about changes of the table that could not be published. */
  eventFailures: Queue;
  client: SQSClient;
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
  const pair = (name: string, deadLetterName: string, settings: QueueSettings) =>
    createQueues(client, endpoint, [name, deadLetterName], settings);
  return {
    endpoint,
    imports: await pair('imports.fifo', 'import-dead-letters.fifo', importQueue),
    notices: await pair('drop-notices', 'drop-notice-dead-letters', noticeQueue),
    drops: await pair('drops.fifo', 'drop-dead-letters.fifo', dropQueue),
    webhooks: await pair('webhooks.fifo', 'webhook-dead-letters.fifo', webhookQueue),
    eventFailures: await createQueue(client, endpoint, 'event-failures', keptFor(tableStream.failureRetention)),
    client,
    stop: async () => {
      client.destroy();
      await app.close();
    },
  };
}

const keptFor = (seconds: number) => ({ MessageRetentionPeriod: String(seconds) });

type QueueSettings = { visibilityTimeout: number; maxReceiveCount: number; retention: number };

/** A queue and its dead-letter queue. */
async function createQueues(
  client: SQSClient,
  endpoint: string,
  [name, deadLetterName]: [string, string],
  { visibilityTimeout, maxReceiveCount, retention }: QueueSettings,
): Promise<QueuePair> {
  const kept = keptFor(retention);
  const deadLetters = await createQueue(client, endpoint, deadLetterName, kept);
  const queue = await createQueue(client, endpoint, name, {
    ...kept,
    VisibilityTimeout: String(visibilityTimeout),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount }),
  });
  return { ...queue, deadLetters };
}

async function createQueue(
  client: SQSClient,
  endpoint: string,
  name: string,
  attributes: Record<string, string>,
): Promise<Queue> {
  const fifo = name.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
  const command = new CreateQueueCommand({ QueueName: name, Attributes: { ...fifo, ...attributes } });
  const { QueueUrl: given = '' } = await client.send(command);
  // The returned URL has a host that not every resolver knows, so only its path is used.
  const url = new URL(new URL(given).pathname, endpoint).href;
  const described = await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }));
  return { url, arn: described.Attributes?.QueueArn ?? '' };
}
