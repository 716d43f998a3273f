import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  type BucketProps,
  type CfnBucket,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { dropQueue, noticeQueue } from '../../lib/background.ts';
import type { Grants } from '../../lib/grants.ts';
import type { Settings } from '../settings.ts';
import { bucketEncryption, queueEncryption } from './encryption.ts';
import { removalPolicyOf } from './removal.ts';

/** Days that the rejected rows of a file in progress are kept: longer than a message about the file can exist. */
const workDays = 15;

const closed: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
};

/** High throughput mode: the limits apply to each message group, so one team cannot slow down another. */
const fifo: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

const whyPatterns =
  'Keys begin with a team id, and teams are created at any time. The function needs every object that matches.';

type DropBoxProps = Pick<Settings, 'retention' | 'removal'> & { key: IKey | undefined };

/** The bucket for dropped files, and the queues that tell the functions about them. */
export class DropBox extends Construct {
  readonly bucket: Bucket;
  readonly accessLogs: IBucket;
  readonly notices: Queue;
  readonly noticeDeadLetters: Queue;
  readonly files: Queue;
  readonly fileDeadLetters: Queue;

  constructor(scope: Construct, id: string, props: DropBoxProps) {
    super(scope, id);
    // S3 cannot send notifications to a FIFO queue, so they arrive in a standard queue first.
    [this.notices, this.noticeDeadLetters] = this.#queues('Notices', noticeQueue, props);
    [this.files, this.fileDeadLetters] = this.#queues('Files', { ...dropQueue, fifo: true }, props);
    this.accessLogs = this.#accessLogs(props);
    this.bucket = this.#bucket(this.accessLogs, props);
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

  #queues(
    id: string,
    settings: typeof noticeQueue | (typeof dropQueue & { fifo: true }),
    { key }: DropBoxProps,
  ): [Queue, Queue] {
    const shared: QueueProps = {
      ...('fifo' in settings ? fifo : {}),
      ...queueEncryption(key),
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(settings.visibilityTimeout),
      retentionPeriod: Duration.seconds(settings.retention),
    };
    const deadLetters = new Queue(this, `${id}DeadLetters`, shared);
    const deadLetterQueue = { queue: deadLetters, maxReceiveCount: settings.maxReceiveCount };
    return [new Queue(this, id, { ...shared, deadLetterQueue }), deadLetters];
  }

  #accessLogs({ retention }: DropBoxProps): IBucket {
    return new Bucket(this, 'AccessLogs', {
      ...closed,
      // S3 delivers access logs only to a bucket that is encrypted with its own keys.
      ...bucketEncryption(undefined),
      // Never deleted with the stack: S3 still writes to it, and a bucket must be empty to be deleted.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      versioned: true,
      lifecycleRules: [
        {
          id: 'AccessLogs',
          expiration: Duration.days(retention.bucketAccessLogs),
          noncurrentVersionExpiration: Duration.days(retention.bucketAccessLogs),
        },
        { id: 'DeleteMarkers', expiredObjectDeleteMarker: true },
      ],
      // The types of the CDK disagree about which properties may be undefined.
    }) as IBucket;
  }

  #bucket(serverAccessLogsBucket: IBucket, { retention, removal, key }: DropBoxProps): Bucket {
    const kept = Duration.days(retention.droppedFiles);
    return new Bucket(this, 'Bucket', {
      ...closed,
      ...bucketEncryption(key),
      removalPolicy: removalPolicyOf(removal.data),
      // With versions, a file that is replaced during reading can still be read to its end.
      versioned: true,
      serverAccessLogsBucket,
      lifecycleRules: [
        {
          id: 'Files',
          expiration: kept,
          noncurrentVersionExpiration: kept,
          abortIncompleteMultipartUploadAfter: Duration.days(7),
        },
        { id: 'DeleteMarkers', expiredObjectDeleteMarker: true },
        {
          id: 'Work',
          prefix: 'work/',
          expiration: Duration.days(workDays),
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
