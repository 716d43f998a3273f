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

/**
 * Days that objects are kept. `files`: dropped files and their reports. `work`: rejected rows of a file in progress.
 */
const kept = { files: 30, work: 15, accessLogs: 90 };

const closed: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  removalPolicy: RemovalPolicy.RETAIN,
};

/** High throughput mode: the limits apply to each message group, so one team cannot slow down another. */
const fifo: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

const whyPatterns =
  'Keys begin with a team id, and teams are created at any time. The function needs every object that matches.';

/** The bucket for dropped files, and the queues that tell the functions about them. */
export class DropBox extends Construct {
  readonly bucket: Bucket;
  readonly accessLogs: IBucket;
  readonly notices: Queue;
  readonly noticeDeadLetters: Queue;
  readonly files: Queue;
  readonly fileDeadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // S3 cannot send notifications to a FIFO queue, so they arrive in a standard queue first.
    [this.notices, this.noticeDeadLetters] = this.#queues('Notices', noticeQueue);
    [this.files, this.fileDeadLetters] = this.#queues('Files', { ...dropQueue, fifo: true });
    this.accessLogs = this.#accessLogs();
    this.bucket = this.#bucket(this.accessLogs);
    this.#notify();
  }

  /** Suppresses the rule against wildcards for these objects only. */
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
      // The types of the CDK disagree about which properties may be undefined.
    }) as IBucket;
  }

  #bucket(serverAccessLogsBucket: IBucket): Bucket {
    return new Bucket(this, 'Bucket', {
      ...closed,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // With versions, a file that is replaced during reading can still be read to its end.
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
   * Sets the notification on the bucket itself: `addEventNotification` of the CDK would add a function that may change
   * any bucket. The queue policy names the account instead of the bucket, because the policy must exist before the
   * bucket.
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
