import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export type QueuePair = { queue: Queue; deadLetters: Queue };

type PairProps = {
  /** Seconds. */
  visibilityTimeout: number;
  retention: number;
  maxReceiveCount: number;
  key: IKey | undefined;
  isFifo: boolean;
};

/** What every queue has. */
export const queueDefaults = (key: IKey | undefined): QueueProps => ({
  enforceSSL: true,
  ...(key
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
    : { encryption: QueueEncryption.SQS_MANAGED }),
});

/** High throughput mode: the limits apply to each message group, so one team cannot slow down another. */
const fifo: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

/** A queue and its dead-letter queue. */
export function queuePair(scope: Construct, [id, deadLettersId]: [string, string], props: PairProps): QueuePair {
  const { visibilityTimeout, retention, maxReceiveCount, key, isFifo } = props;
  const shared: QueueProps = {
    ...queueDefaults(key),
    ...(isFifo ? fifo : {}),
    visibilityTimeout: Duration.seconds(visibilityTimeout),
    retentionPeriod: Duration.seconds(retention),
  };
  const deadLetters = new Queue(scope, deadLettersId, shared);
  const queue = new Queue(scope, id, { ...shared, deadLetterQueue: { queue: deadLetters, maxReceiveCount } });
  return { queue, deadLetters };
}
