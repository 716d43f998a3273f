import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import { QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';

export const queueEncryption = (key: IKey | undefined): QueueProps =>
  key ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key } : { encryption: QueueEncryption.SQS_MANAGED };

/** With a bucket key, S3 asks KMS once for many objects. */
export const bucketEncryption = (key: IKey | undefined): BucketProps =>
  key
    ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED };
