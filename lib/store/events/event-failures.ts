import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { failWith } from '../table/errors.ts';
import type { StreamRecord } from './item-changes.ts';

/**
 * Sends which record of the stream could not be published, in the form of the messages that Lambda sends for a batch. It
 * has no data of the record. It does not name the shard, which a function is not told.
 */
export const failureSender =
  (queueUrl: string, client: SQSClient) =>
  async ({ dynamodb = {}, eventSourceARN }: StreamRecord & { eventSourceARN?: string | undefined }): Promise<void> => {
    const { SequenceNumber, ApproximateCreationDateTime = 0 } = dynamodb;
    const arrival = new Date(ApproximateCreationDateTime * 1000).toISOString();
    const message = {
      requestContext: { condition: 'DefectiveRecord' },
      version: '1.0',
      timestamp: new Date().toISOString(),
      DDBStreamBatchInfo: {
        streamArn: eventSourceARN,
        startSequenceNumber: SequenceNumber,
        endSequenceNumber: SequenceNumber,
        approximateArrivalOfFirstRecord: arrival,
        approximateArrivalOfLastRecord: arrival,
        batchSize: 1,
      },
    };
    const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) });
    await client.send(command).catch(failWith('a failure could not be sent to the queue'));
  };
