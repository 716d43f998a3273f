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
import { Construct } from 'constructs';
import { dropQueue, noticeQueue } from '../../lib/background.ts';
import type { Grants } from '../../lib/grants.ts';
import { type Deployment, removalPolicyOf } from './deployment.ts';
import { type QueuePair, queuePair } from './queues.ts';

/** Days that the rejected rows of a file in progress are kept: longer than a message about the file can exist. */
const workDays = 15;

/** Deletes what remains of an object whose versions have expired. */
const deleteMarkers = { id: 'DeleteMarkers', expiredObjectDeleteMarker: true };

const expiresAfter = (days: number) => ({
  expiration: Duration.days(days),
  noncurrentVersionExpiration: Duration.days(days),
});

/** What every bucket has. With a bucket key, S3 asks KMS once for many objects. */
const defaultsFor = (key: Deployment['key']): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  versioned: true,
  ...(key
    ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED }),
});

/** Suppresses the rule against wildcards for these objects only. */
function acknowledgeObjects(bucket: Bucket, patterns: Iterable<string>, role: Role, reason: string): void {
  const logicalId = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
  for (const pattern of patterns) {
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${pattern}]`, reason });
  }
}

/** The bucket for dropped files, and the queues that tell the functions about them. */
export class DropBox extends Construct {
  readonly bucket: Bucket;
  /** Of all buckets. */
  readonly accessLogs: IBucket;
  readonly notices: QueuePair;
  readonly files: QueuePair;

  constructor(scope: Construct, id: string, { settings: { retention, removal }, key }: Deployment) {
    super(scope, id);
    // S3 cannot send notifications to a FIFO queue, so they arrive in a standard queue first.
    this.notices = queuePair(this, ['Notices', 'NoticesDeadLetters'], { ...noticeQueue, key, isFifo: false });
    this.files = queuePair(this, ['Files', 'FilesDeadLetters'], { ...dropQueue, key, isFifo: true });
    this.accessLogs = new Bucket(this, 'AccessLogs', {
      // S3 delivers access logs only to a bucket that is encrypted with its own keys.
      ...defaultsFor(undefined),
      // Never deleted with the stack: S3 still writes to it, and a bucket must be empty to be deleted.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: [{ id: 'AccessLogs', ...expiresAfter(retention.bucketAccessLogs) }, deleteMarkers],
      // The types of the CDK disagree about which properties may be undefined.
    }) as IBucket;
    const abortIncompleteMultipartUploadAfter = Duration.days(7);
    this.bucket = new Bucket(this, 'Bucket', {
      // With versions, a file that is replaced during reading can still be read to its end.
      ...defaultsFor(key),
      removalPolicy: removalPolicyOf(removal.data),
      serverAccessLogsBucket: this.accessLogs,
      lifecycleRules: [
        { id: 'Files', ...expiresAfter(retention.droppedFiles), abortIncompleteMultipartUploadAfter },
        deleteMarkers,
        { id: 'Work', prefix: 'work/', ...expiresAfter(workDays), noncurrentVersionExpiration: Duration.days(1) },
      ],
    });
    this.#notify();
  }

  acknowledge(role: Role, { read, write }: NonNullable<Grants['files']>): void {
    const reason =
      'Keys begin with a team id, and teams are created at any time. The function needs every object that matches.';
    acknowledgeObjects(this.bucket, new Set([...read, ...write]), role, reason);
  }

  /**
   * Sets the notification on the bucket itself: `addEventNotification` of the CDK would add a function that may change
   * any bucket. The queue policy names the account instead of the bucket, because the policy must exist before the
   * bucket.
   */
  #notify(): void {
    const { queue } = this.notices;
    const policy = queue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'BucketsOfThisAccount',
        principals: [new ServicePrincipal('s3.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const bucket = this.bucket.node.defaultChild as CfnBucket;
    bucket.notificationConfiguration = {
      queueConfigurations: [{ event: 's3:ObjectCreated:*', queue: queue.queueArn }],
    };
    if (policy.policyDependable) this.bucket.node.addDependency(policy.policyDependable);
  }
}

/** The objects that the admin command writes, see `lib/store/campaigns/images.ts`. */
const imagePattern = 'files/*';

/** The list of erased persons, see `lib/store/erasure/erasure-list.ts`. */
const erasurePattern = 'erasures/*';

/** The private bucket of teams' images. The API's domain serves them. */
export class ImageBucket extends Construct {
  readonly bucket: Bucket;
  /** The ARN of all images. */
  readonly objects: string;
  /** The ARN of all entries of the list of erasures. */
  readonly erasures: string;

  constructor(scope: Construct, id: string, { settings: { retention, removal }, key }: Deployment, logs: IBucket) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      ...defaultsFor(key),
      removalPolicy: removalPolicyOf(removal.data),
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'images/',
      lifecycleRules: [
        { id: 'Deleted', noncurrentVersionExpiration: Duration.days(retention.deletedImages) },
        deleteMarkers,
      ],
    });
    this.objects = this.bucket.arnForObjects(imagePattern);
    this.erasures = this.bucket.arnForObjects(erasurePattern);
  }

  acknowledge(role: Role): void {
    const reason = 'Each object is an image, which the function serves to everyone.';
    acknowledgeObjects(this.bucket, [imagePattern], role, reason);
  }

  acknowledgeErasures(role: Role): void {
    const reason = 'Each object is an entry of the list, which the function adds.';
    acknowledgeObjects(this.bucket, [erasurePattern], role, reason);
  }
}

/** Entries of the journal, see `lib/store/suppression/journal.ts`. */
const journalPattern = 'suppression/*';

/** The journal of the lists of addresses: what a restored table does not know. */
export class SuppressionJournal extends Construct {
  readonly bucket: Bucket;
  /** The ARN of all entries. */
  readonly entries: string;

  constructor(scope: Construct, id: string, { key }: Deployment, logs: IBucket) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      ...defaultsFor(key),
      // Kept when the stack is deleted: who has left must not get messages of another stack.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'journal/',
      lifecycleRules: [deleteMarkers],
    });
    this.entries = this.bucket.arnForObjects(journalPattern);
  }

  acknowledge(role: Role): void {
    const reason = 'Each object is an entry of the journal, which the function adds.';
    acknowledgeObjects(this.bucket, [journalPattern], role, reason);
  }
}
