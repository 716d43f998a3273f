import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { importQueue } from '../../lib/background.ts';

const shared: QueueProps = {
  fifo: true,
  // High throughput: no team takes its share of the queue from another.
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  visibilityTimeout: Duration.seconds(importQueue.visibilityTimeout),
  retentionPeriod: Duration.seconds(importQueue.retention),
};

/** The FIFO queue between acceptance and work, and the one for messages that no attempt could finish. */
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
