import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Bucket, type CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { dropQueue, noticeQueue } from '../../lib/background.ts';
import type { Grants } from '../../lib/grants.ts';
import type { Settings } from '../settings.ts';
import { acknowledgeObjects, bucketDefaults, deleteMarkers } from './buckets.ts';
import { type QueuePair, queuePair } from './queues.ts';
import { removalPolicyOf } from './removal.ts';

/** Days that the rejected rows of a file in progress are kept: longer than a message about the file can exist. */
const workDays = 15;

const whyPatterns =
  'Keys begin with a team id, and teams are created at any time. The function needs every object that matches.';

type DropBoxProps = Pick<Settings, 'retention' | 'removal'> & { key: IKey | undefined };

/** The bucket for dropped files, and the queues that tell the functions about them. */
export class DropBox extends Construct {
  readonly bucket: Bucket;
  readonly accessLogs: IBucket;
  readonly notices: QueuePair;
  readonly files: QueuePair;

  constructor(scope: Construct, id: string, props: DropBoxProps) {
    super(scope, id);
    // S3 cannot send notifications to a FIFO queue, so they arrive in a standard queue first.
    const { key } = props;
    this.notices = queuePair(this, ['Notices', 'NoticesDeadLetters'], { ...noticeQueue, key, isFifo: false });
    this.files = queuePair(this, ['Files', 'FilesDeadLetters'], { ...dropQueue, key, isFifo: true });
    this.accessLogs = this.#accessLogs(props);
    this.bucket = this.#bucket(this.accessLogs, props);
    this.#notify();
  }

  acknowledge(role: Role, { read, write }: NonNullable<Grants['files']>): void {
    acknowledgeObjects(this.bucket, new Set([...read, ...write]), role, whyPatterns);
  }

  #accessLogs({ retention }: DropBoxProps): IBucket {
    return new Bucket(this, 'AccessLogs', {
      // S3 delivers access logs only to a bucket that is encrypted with its own keys.
      ...bucketDefaults(undefined),
      // Never deleted with the stack: S3 still writes to it, and a bucket must be empty to be deleted.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: [
        {
          id: 'AccessLogs',
          expiration: Duration.days(retention.bucketAccessLogs),
          noncurrentVersionExpiration: Duration.days(retention.bucketAccessLogs),
        },
        deleteMarkers,
      ],
      // The types of the CDK disagree about which properties may be undefined.
    }) as IBucket;
  }

  #bucket(serverAccessLogsBucket: IBucket, { retention, removal, key }: DropBoxProps): Bucket {
    const kept = Duration.days(retention.droppedFiles);
    return new Bucket(this, 'Bucket', {
      // With versions, a file that is replaced during reading can still be read to its end.
      ...bucketDefaults(key),
      removalPolicy: removalPolicyOf(removal.data),
      serverAccessLogsBucket,
      lifecycleRules: [
        {
          id: 'Files',
          expiration: kept,
          noncurrentVersionExpiration: kept,
          abortIncompleteMultipartUploadAfter: Duration.days(7),
        },
        deleteMarkers,
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
