import { Duration } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { acknowledgeObjects, bucketDefaults, deleteMarkers } from './buckets.ts';
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
      ...bucketDefaults(key),
      removalPolicy: removalPolicyOf(removal.data),
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: 'images/',
      lifecycleRules: [
        { id: 'Deleted', noncurrentVersionExpiration: Duration.days(retention.deletedImages) },
        deleteMarkers,
      ],
    });
  }

  get objects(): string {
    return this.bucket.arnForObjects(pattern);
  }

  acknowledge(role: Role): void {
    acknowledgeObjects(this.bucket, [pattern], role, 'Each object is an image, which the function serves to everyone.');
  }
}
