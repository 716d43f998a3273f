import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { importQueue, webhookQueue } from '../../lib/background.ts';
import { queueEncryption } from './encryption.ts';

export type WakeQueueProps = { settings: typeof importQueue | typeof webhookQueue; key: IKey | undefined };

/** A FIFO queue whose messages only wake a function, and its dead-letter queue. */
export class WakeQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { settings, key }: WakeQueueProps) {
    super(scope, id);
    const shared: QueueProps = {
      fifo: true,
      // High throughput mode: the limits apply to each message group, so one team cannot slow down another.
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(settings.visibilityTimeout),
      retentionPeriod: Duration.seconds(settings.retention),
      ...queueEncryption(key),
    };
    this.deadLetters = new Queue(this, 'DeadLetters', shared);
    const deadLetterQueue = { queue: this.deadLetters, maxReceiveCount: settings.maxReceiveCount };
    this.queue = new Queue(this, 'Queue', { ...shared, deadLetterQueue });
  }
}
