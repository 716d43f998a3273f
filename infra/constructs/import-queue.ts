import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { importQueue } from '../../lib/background.ts';
import { queueEncryption } from './encryption.ts';

const shared: QueueProps = {
  fifo: true,
  // High throughput mode: the limits apply to each message group, so one team cannot slow down another.
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  enforceSSL: true,
  visibilityTimeout: Duration.seconds(importQueue.visibilityTimeout),
  retentionPeriod: Duration.seconds(importQueue.retention),
};

/** The FIFO queue that wakes the import worker, and its dead-letter queue. */
export class ImportQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, key: IKey | undefined) {
    super(scope, id);
    const encryption = queueEncryption(key);
    this.deadLetters = new Queue(this, 'DeadLetters', { ...shared, ...encryption });
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      ...encryption,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: importQueue.maxReceiveCount },
    });
  }
}
