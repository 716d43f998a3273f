import { Stack, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  type Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';

/** What every bucket has. With a bucket key, S3 asks KMS once for many objects. */
export const bucketDefaults = (key: IKey | undefined): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  versioned: true,
  ...(key
    ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED }),
});

/** Deletes what remains of an object whose versions have expired. */
export const deleteMarkers = { id: 'DeleteMarkers', expiredObjectDeleteMarker: true };

/** Suppresses the rule against wildcards for these objects only. */
export function acknowledgeObjects(bucket: Bucket, patterns: Iterable<string>, role: Role, reason: string): void {
  const logicalId = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
  for (const pattern of patterns) {
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${pattern}]`, reason });
  }
}
