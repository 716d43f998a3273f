import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { importQueue } from '../../lib/background.ts';

const shared: QueueProps = {
  fifo: true,
  // High throughput mode: the limits apply to each message group, so one team cannot slow down another.
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  visibilityTimeout: Duration.seconds(importQueue.visibilityTimeout),
  retentionPeriod: Duration.seconds(importQueue.retention),
};

/** The FIFO queue that wakes the import worker, and its dead-letter queue. */
export class ImportQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', shared);
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: importQueue.maxReceiveCount },
    });
  }
}
