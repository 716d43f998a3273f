import { Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { dropQueue, noticeQueue } from '../../lib/background.ts';
import { type Json, synthesize } from './synthesized.ts';

let stack: ReturnType<typeof synthesize>;

beforeAll(() => {
  stack = synthesize();
});

const named = (type: string, name: RegExp): Json => {
  const [found, ...others] = stack.ofType(type).filter(({ logicalId }) => name.test(logicalId));
  expect(others).toEqual([]);
  return found;
};
const bucket = () => named('AWS::S3::Bucket', /^DropBoxBucket/);

describe('the bucket of the drop box', () => {
  test('is encrypted, and refuses what is not TLS 1.2', () => {
    for (const { logicalId, Properties } of stack.ofType('AWS::S3::Bucket')) {
      const [{ ServerSideEncryptionByDefault }] = Properties.BucketEncryption.ServerSideEncryptionConfiguration;
      expect(ServerSideEncryptionByDefault).toEqual({ SSEAlgorithm: 'AES256' });
      expect(Properties.OwnershipControls).toEqual({ Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] });
      const denied = (Condition: object) => Match.objectLike({ Effect: 'Deny', Action: 's3:*', Condition });
      stack.template.hasResourceProperties('AWS::S3::BucketPolicy', {
        Bucket: { Ref: logicalId },
        PolicyDocument: {
          Statement: Match.arrayWith([denied({ NumericLessThan: { 's3:TlsVersion': 1.2 } })]),
        },
      });
    }
  });

  test('keeps what is replaced, and nothing for ever', () => {
    const { VersioningConfiguration, LifecycleConfiguration, LoggingConfiguration } = bucket().Properties;
    expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(LifecycleConfiguration.Rules).toEqual([
      expect.objectContaining({
        ExpirationInDays: 30,
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
        Status: 'Enabled',
      }),
      expect.objectContaining({ ExpiredObjectDeleteMarker: true, Status: 'Enabled' }),
      expect.objectContaining({ Prefix: 'work/', ExpirationInDays: 15, Status: 'Enabled' }),
    ]);
    expect(LoggingConfiguration.DestinationBucketName).toEqual({
      Ref: named('AWS::S3::Bucket', /AccessLogs/).logicalId,
    });
    expect([bucket().DeletionPolicy, bucket().UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  });

  test('keeps rejected rows as long as a message about their file may live', () => {
    const [, , work] = bucket().Properties.LifecycleConfiguration.Rules;
    expect(work.ExpirationInDays * 24 * 3600).toBeGreaterThan(dropQueue.retention);
  });

  test('tells its queue of every new object, which S3 may do for this account alone', () => {
    const notices = named('AWS::SQS::Queue', /^DropBoxNotices[0-9A-F]{8}$/);
    expect(bucket().Properties.NotificationConfiguration).toEqual({
      QueueConfigurations: [{ Event: 's3:ObjectCreated:*', Queue: { 'Fn::GetAtt': [notices.logicalId, 'Arn'] } }],
    });
    stack.template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      Queues: [{ Ref: notices.logicalId }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Action: 'sqs:SendMessage',
            Principal: { Service: 's3.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
    // S3 tries the queue when the bucket is made.
    expect(bucket().DependsOn).toContain(named('AWS::SQS::QueuePolicy', /^DropBoxNoticesPolicy/).logicalId);
  });
});

describe('the bucket of images', () => {
  const images = () => named('AWS::S3::Bucket', /^ImagesBucket/);

  test('is opened by no policy', () => {
    const policies = stack
      .ofType('AWS::S3::BucketPolicy')
      .filter(({ Properties }) => Properties.Bucket.Ref === images().logicalId);
    const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements.map(({ Effect }: Json) => Effect)).toEqual(['Deny', 'Deny']);
  });

  test('keeps images for ever, and one that is deleted for 30 days', () => {
    const { VersioningConfiguration, LifecycleConfiguration } = images().Properties;
    expect(VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(LifecycleConfiguration.Rules).toEqual([
      { Id: 'Deleted', NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: 'Enabled' },
      { Id: 'DeleteMarkers', ExpiredObjectDeleteMarker: true, Status: 'Enabled' },
    ]);
    expect([images().DeletionPolicy, images().UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  });

  test('tells nobody of what is put there: it is no dropped file', () => {
    expect(images().Properties.NotificationConfiguration).toBeUndefined();
  });
});

describe('the queues of the drop box', () => {
  test.each([
    ['Notices', noticeQueue, undefined],
    ['Files', dropQueue, true],
  ])('%s are encrypted, and give up to dead letters of their kind', (name, settings, FifoQueue) => {
    const queue = named('AWS::SQS::Queue', new RegExp(`^DropBox${name}[0-9A-F]{8}$`));
    const deadLetters = named('AWS::SQS::Queue', new RegExp(`^DropBox${name}DeadLetters`));
    for (const { Properties } of [queue, deadLetters]) {
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: settings.retention });
      expect(Properties.FifoQueue).toBe(FifoQueue);
    }
    expect(queue.Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters.logicalId, 'Arn'] },
      maxReceiveCount: settings.maxReceiveCount,
    });
  });
});

test('the files of one team take no share of the queue from those of another', () => {
  expect(named('AWS::SQS::Queue', /^DropBoxFiles[0-9A-F]{8}$/).Properties).toMatchObject({
    FifoQueue: true,
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  });
});
