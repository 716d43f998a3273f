import { DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { shortRequests } from '../../lib/store/connections.ts';
import type { FunctionId } from '../smoke/failure.ts';
import type { Control, MessageQueue } from '../smoke/world.ts';
import { configurationOf, configure, enableTrigger, queueTriggerOf } from './aws.ts';

/** Changes functions of the emulator for the time of a step. @param nameOf returns the name of the deployed function */
export const controlOf = (nameOf: (id: FunctionId) => string): Control => ({
  async withTimeout(id, seconds, run) {
    const name = nameOf(id);
    const { Timeout = 0 } = await configurationOf(name);
    await configure(name, { Timeout: seconds });
    try {
      return await run();
    } finally {
      await configure(name, { Timeout });
    }
  },

  async withoutTrigger(id, run) {
    const { UUID, EventSourceArn } = await queueTriggerOf(nameOf(id));
    await enableTrigger(UUID, false);
    try {
      return await run(await openQueue(EventSourceArn.split(':')[5]!));
    } finally {
      await enableTrigger(UUID, true);
    }
  },
});

async function openQueue(QueueName: string): Promise<MessageQueue> {
  const client = new SQSClient({ requestHandler: shortRequests });
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
  return {
    async receive() {
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
      const [{ MessageId, ReceiptHandle, Body } = {}] = Messages;
      return MessageId && ReceiptHandle && Body
        ? { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body }
        : undefined;
    },
    remove: async ({ receiptHandle: ReceiptHandle }) =>
      void (await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))),
  };
}
