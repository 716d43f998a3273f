import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, type CfnBucket, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { bucketEncryption } from './encryption.ts';
import { removalPolicyOf } from './removal.ts';

/** The objects that the admin command writes, see `lib/store/images.ts`. */
const pattern = 'files/*';

type ImageBucketProps = Pick<Settings, 'retention' | 'removal'> & {
  accessLogs: IBucket;
  key: IKey | undefined;
};

/** The private bucket of teams' images. The API's domain serves them. */
export class ImageBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { retention, removal, accessLogs, key }: ImageBucketProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      ...bucketEncryption(key),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: removalPolicyOf(removal.data),
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      versioned: true,
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: 'images/',
      lifecycleRules: [
        { id: 'Deleted', noncurrentVersionExpiration: Duration.days(retention.deletedImages) },
        { id: 'DeleteMarkers', expiredObjectDeleteMarker: true },
      ],
    });
  }

  get objects(): string {
    return this.bucket.arnForObjects(pattern);
  }

  /** Suppresses the rule against wildcards for these objects only. */
  acknowledge(role: Role): void {
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    const id = `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${pattern}]`;
    Validations.of(role).acknowledge({
      id,
      reason: 'Each object is an image, which the function serves to everyone.',
    });
  }
}
