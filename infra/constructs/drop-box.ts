import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { dropQueue, noticeQueue } from '../../lib/background.ts';
import type { Grants } from '../../lib/routes.ts';

/** Days that a dropped file and its report stay; and rejected rows of a file that is still worked. */
const kept = { files: 30, work: 15, accessLogs: 90 };

const closed: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  removalPolicy: RemovalPolicy.RETAIN,
};

/** High throughput: no team takes its share of the queue from another. */
const fifo: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

const whyPatterns =
  'Keys begin with the team, of which there will be others; what follows the pattern is all that is read or written.';

/** The bucket that files are dropped into, and the queues by which the functions learn of them. */
export class DropBox extends Construct {
  readonly bucket: Bucket;
  readonly accessLogs: IBucket;
  readonly notices: Queue;
  readonly noticeDeadLetters: Queue;
  readonly files: Queue;
  readonly fileDeadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // S3 cannot speak to a FIFO queue.
    [this.notices, this.noticeDeadLetters] = this.#queues('Notices', noticeQueue);
    [this.files, this.fileDeadLetters] = this.#queues('Files', { ...dropQueue, fifo: true });
    this.accessLogs = this.#accessLogs();
    this.bucket = this.#bucket(this.accessLogs);
    this.#notify();
  }

  /** Sets the rule against wildcards aside, for these objects alone. */
  acknowledge(role: Role, { read, write }: NonNullable<Grants['files']>): void {
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    for (const pattern of new Set([...read, ...write])) {
      const id = `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${pattern}]`;
      Validations.of(role).acknowledge({ id, reason: whyPatterns });
    }
  }

  #queues(id: string, settings: typeof noticeQueue | (typeof dropQueue & { fifo: true })): [Queue, Queue] {
    const shared: QueueProps = {
      ...('fifo' in settings ? fifo : {}),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(settings.visibilityTimeout),
      retentionPeriod: Duration.seconds(settings.retention),
    };
    const deadLetters = new Queue(this, `${id}DeadLetters`, shared);
    const deadLetterQueue = { queue: deadLetters, maxReceiveCount: settings.maxReceiveCount };
    return [new Queue(this, id, { ...shared, deadLetterQueue }), deadLetters];
  }

  #accessLogs(): IBucket {
    return new Bucket(this, 'AccessLogs', {
      ...closed,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [{ expiration: Duration.days(kept.accessLogs) }],
      // The library's own types disagree about what may be undefined.
    }) as IBucket;
  }

  #bucket(serverAccessLogsBucket: IBucket): Bucket {
    return new Bucket(this, 'Bucket', {
      ...closed,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // A file that is replaced while it is read is read to its end all the same.
      versioned: true,
      serverAccessLogsBucket,
      lifecycleRules: [
        {
          id: 'Files',
          expiration: Duration.days(kept.files),
          noncurrentVersionExpiration: Duration.days(kept.files),
          abortIncompleteMultipartUploadAfter: Duration.days(7),
        },
        { id: 'DeleteMarkers', expiredObjectDeleteMarker: true },
        {
          id: 'Work',
          prefix: 'work/',
          expiration: Duration.days(kept.work),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
  }

  /**
   * Set on the bucket itself: the library's own way adds a function of its own that may change any bucket. The queue's
   * policy cannot name the bucket, which needs the policy to be there first; so it names the account.
   */
  #notify(): void {
    const policy = this.notices.addToResourcePolicy(
      new PolicyStatement({
        sid: 'BucketsOfThisAccount',
        principals: [new ServicePrincipal('s3.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.notices.queueArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const bucket = this.bucket.node.defaultChild as CfnBucket;
    bucket.notificationConfiguration = {
      queueConfigurations: [{ event: 's3:ObjectCreated:*', queue: this.notices.queueArn }],
    };
    if (policy.policyDependable) this.bucket.node.addDependency(policy.policyDependable);
  }
}
