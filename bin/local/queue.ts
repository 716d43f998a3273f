import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { importQueue } from '../../lib/background.ts';
import { loopback } from './ports.ts';

export type Queue = { url: string; arn: string };
export type Queues = {
  endpoint: string;
  imports: Queue;
  deadLetters: Queue;
  client: SQSClient;
  stop(): Promise<void>;
};

/** The embedded SQS-compatible queue, in memory: the table's open claims bring accepted work back at the next start. */
export async function startQueues(): Promise<Queues> {
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host: loopback });
  const client = new SQSClient({ endpoint });
  const retention = { MessageRetentionPeriod: String(importQueue.retention) };
  const deadLetters = await createQueue(client, endpoint, 'import-dead-letters.fifo', retention);
  const imports = await createQueue(client, endpoint, 'imports.fifo', {
    ...retention,
    VisibilityTimeout: String(importQueue.visibilityTimeout),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: deadLetters.arn,
      maxReceiveCount: importQueue.maxReceiveCount,
    }),
  });
  return {
    endpoint,
    imports,
    deadLetters,
    client,
    stop: async () => {
      client.destroy();
      await app.close();
    },
  };
}

async function createQueue(
  client: SQSClient,
  endpoint: string,
  name: string,
  attributes: Record<string, string>,
): Promise<Queue> {
  const command = new CreateQueueCommand({ QueueName: name, Attributes: { FifoQueue: 'true', ...attributes } });
  const { QueueUrl: given = '' } = await client.send(command);
  // The engine names a host that not every resolver knows; queues are found by their path.
  const url = new URL(new URL(given).pathname, endpoint).href;
  const described = await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }));
  return { url, arn: described.Attributes?.QueueArn ?? '' };
}
