import { beforeAll, expect, test } from 'vitest';
import { type Json, synthesize } from './synthesized.ts';

let stack: ReturnType<typeof synthesize>;
let bucket: Json;

beforeAll(() => {
  stack = synthesize();
  const found = stack.ofType('AWS::S3::Bucket').filter(({ logicalId }: Json) => /^ImagesBucket/.test(logicalId));
  expect(found).toHaveLength(1);
  bucket = found[0];
});

test('the bucket of images is private, and no policy opens it', () => {
  const closed = {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  };
  expect(bucket.Properties.PublicAccessBlockConfiguration).toEqual(closed);
  const policies = stack
    .ofType('AWS::S3::BucketPolicy')
    .filter(({ Properties }: Json) => Properties.Bucket.Ref === bucket.logicalId);
  const statements = policies.flatMap(({ Properties }: Json) => Properties.PolicyDocument.Statement);
  expect(statements.map(({ Effect }: Json) => Effect)).toEqual(['Deny', 'Deny']);
});

test('images do not expire, and one that is deleted can be restored for 30 days', () => {
  const { VersioningConfiguration, LifecycleConfiguration } = bucket.Properties;
  expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
  expect(LifecycleConfiguration.Rules).toEqual([
    { Id: 'Deleted', NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: 'Enabled' },
    { Id: 'DeleteMarkers', ExpiredObjectDeleteMarker: true, Status: 'Enabled' },
  ]);
  expect([bucket.DeletionPolicy, bucket.UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
});

test('an image that is put there is no dropped file', () => {
  expect(bucket.Properties.NotificationConfiguration).toBeUndefined();
});
