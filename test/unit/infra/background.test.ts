import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import {
  backgroundFunctions,
  dropQueue,
  importQueue,
  noticeQueue,
  type QueueName,
  targetingQueue,
  webhookQueue,
} from '../../../lib/background.ts';
import { publishedSortKeys } from '../../../lib/store/table/item-kinds.ts';
import { type Json, synthesize } from '../../support/infra/synthesized.ts';

const stack = synthesize();
const queues = {
  imports: { settings: importQueue, queue: /^ImportsQueue/, deadLetters: /^ImportsDeadLetters/, isFifo: true },
  webhooks: { settings: webhookQueue, queue: /^WebhooksQueue/, deadLetters: /^WebhooksDeadLetters/, isFifo: true },
  // S3 cannot send to a FIFO queue.
  notices: {
    settings: noticeQueue,
    queue: /^DropBoxNotices[0-9A-F]{8}$/,
    deadLetters: /^DropBoxNoticesDeadLetters/,
    isFifo: false,
  },
  targeting: {
    settings: targetingQueue,
    queue: /^TargetingQueue[0-9A-F]{8}$/,
    deadLetters: /^TargetingDeadLetters/,
    isFifo: true,
  },
  drops: {
    settings: dropQueue,
    queue: /^DropBoxFiles[0-9A-F]{8}$/,
    deadLetters: /^DropBoxFilesDeadLetters/,
    isFifo: true,
  },
};
const queueOf = (name: QueueName) => stack.the('AWS::SQS::Queue', queues[name].queue);

describe.each(Object.entries(queues))('the queue of %s', (_, { settings, isFifo, ...names }) => {
  const [queue, deadLetters] = [names.queue, names.deadLetters].map((name) => stack.the('AWS::SQS::Queue', name));

  test('and its dead letters are encrypted, and one team holds up no other', () => {
    for (const { Properties } of [queue, deadLetters]) {
      expect(Properties).toMatchObject({
        SqsManagedSseEnabled: true,
        VisibilityTimeout: settings.visibilityTimeout,
        MessageRetentionPeriod: settings.retention,
      });
      const { FifoQueue, DeduplicationScope, FifoThroughputLimit } = Properties;
      expect([FifoQueue, DeduplicationScope, FifoThroughputLimit]).toEqual(
        isFifo ? [true, 'messageGroup', 'perMessageGroupId'] : [undefined, undefined, undefined],
      );
    }
  });

  test('gives up to its dead letters', () => {
    expect(queue.Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters.logicalId, 'Arn'] },
      maxReceiveCount: settings.maxReceiveCount,
    });
  });
});

describe('messages', () => {
  // A team waits for a stopped worker until its message is visible again. A repeated attempt does no harm.
  test('of lanes stay hidden little longer than any attempt may take, the others six times as long', () => {
    for (const { id, timeout, trigger } of backgroundFunctions) {
      if (!('queue' in trigger)) continue;
      const isWoken = ['import-worker', 'webhook-delivery', 'targeting-worker'].includes(id);
      const hidden = queueOf(trigger.queue).Properties.VisibilityTimeout;
      expect(hidden).toBeGreaterThanOrEqual(isWoken ? timeout + 10 : 6 * timeout);
      expect(hidden).toBeLessThanOrEqual(isWoken ? 75 : Number.POSITIVE_INFINITY);
    }
  });

  test('are worked a few at a time, and each answers for itself', () => {
    for (const { id, trigger } of backgroundFunctions) {
      if (!('queue' in trigger)) continue;
      stack.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        EventSourceArn: { 'Fn::GetAtt': [queueOf(trigger.queue).logicalId, 'Arn'] },
        FunctionName: stack.aliasOf(id),
        BatchSize: trigger.batchSize,
        ScalingConfig: { MaximumConcurrency: trigger.maxConcurrency },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    }
  });
});

test('changes of the table are published in batches, again and again for six hours, and a poisoned one is split', () => {
  const table = stack.the('AWS::DynamoDB::GlobalTable');
  expect(table.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  const failures = stack.the('AWS::SQS::Queue', /^StreamFailures/);
  expect(failures.Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 1_209_600 });
  stack.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': [table.logicalId, 'StreamArn'] },
    FunctionName: stack.aliasOf('event-publisher'),
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 1000,
    MaximumBatchingWindowInSeconds: 1,
    ParallelizationFactor: 1,
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: -1,
    MaximumRecordAgeInSeconds: 21_600,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [failures.logicalId, 'Arn'] } } },
    FilterCriteria: {
      Filters: [{ Pattern: JSON.stringify({ dynamodb: { Keys: { sk: { S: publishedSortKeys } } } }) }],
    },
  });
  expect(stack.told('EVENT_FAILURE_QUEUE_URL')).toEqual([['event-publisher', { Ref: failures.logicalId }]]);
});

test('Lambda lets the functions that send to their own queue do so, and stops any other loop', () => {
  const allowed = [...stack.functions].filter(([, { properties }]) => properties.RecursiveLoop !== undefined);
  expect(allowed.map(([id, { properties }]) => [id, properties.RecursiveLoop]).sort()).toEqual([
    ['drop-box-reader', 'Allow'],
    ['import-worker', 'Allow'],
    ['targeting-worker', 'Allow'],
    ['webhook-delivery', 'Allow'],
  ]);
});

test('imports are swept every minute, without retries beside the next run', () => {
  stack.template.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 minute)',
    Targets: [Match.objectLike({ Arn: { Ref: stack.aliasIdOf('sweeper') } })],
  });
  stack.template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
    FunctionName: { Ref: stack.functions.get('sweeper')!.logicalId },
    Qualifier: Match.anyValue(),
    MaximumRetryAttempts: 0,
  });
});

describe('buckets', () => {
  const bucket = (name: RegExp): Json => stack.the('AWS::S3::Bucket', name);
  const ofMinimumTls = { Effect: 'Deny', Action: 's3:*', Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } };

  test('are encrypted, refuse what is not TLS 1.2, and are opened by no policy', () => {
    for (const { logicalId, Properties } of stack.ofType('AWS::S3::Bucket')) {
      const [{ ServerSideEncryptionByDefault }] = Properties.BucketEncryption.ServerSideEncryptionConfiguration;
      expect(ServerSideEncryptionByDefault).toEqual({ SSEAlgorithm: 'AES256' });
      expect(Properties.OwnershipControls).toEqual({ Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] });
      const policies = stack
        .ofType('AWS::S3::BucketPolicy')
        .filter(({ Properties: of }) => of.Bucket.Ref === logicalId);
      const statements: Json[] = policies.flatMap(({ Properties: of }) => of.PolicyDocument.Statement);
      expect(statements).toContainEqual(expect.objectContaining(ofMinimumTls));
      const services = statements.flatMap(({ Effect, Principal }) => (Effect === 'Deny' ? [] : Principal.Service));
      expect(services).toEqual(
        /AccessLogs/.test(logicalId) ? expect.arrayContaining(['logging.s3.amazonaws.com']) : [],
      );
    }
  });

  test('keep what is replaced, dropped files not for ever, and images until they are deleted', () => {
    const rules = (name: RegExp) => bucket(name).Properties.LifecycleConfiguration.Rules;
    const markers = { Id: 'DeleteMarkers', ExpiredObjectDeleteMarker: true, Status: 'Enabled' };
    expect(rules(/^DropBoxBucket/)).toEqual([
      expect.objectContaining({
        ExpirationInDays: 30,
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
        Status: 'Enabled',
      }),
      markers,
      expect.objectContaining({ Prefix: 'work/', ExpirationInDays: 15, Status: 'Enabled' }),
    ]);
    // Rejected rows are kept as long as a message about their file may live.
    expect(15 * 24 * 3600).toBeGreaterThan(dropQueue.retention);
    expect(rules(/^ImagesBucket/)).toEqual([
      { Id: 'Deleted', NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: 'Enabled' },
      markers,
    ]);
    for (const name of [/^DropBoxBucket/, /^ImagesBucket/]) {
      const { LoggingConfiguration } = bucket(name).Properties;
      expect(LoggingConfiguration.DestinationBucketName).toEqual({ Ref: bucket(/AccessLogs/).logicalId });
    }
  });

  test('tell their queue of every dropped file, which S3 may do for this account alone, and of no image', () => {
    const notices = queueOf('notices');
    const { Properties, DependsOn } = bucket(/^DropBoxBucket/);
    expect(Properties.NotificationConfiguration).toEqual({
      QueueConfigurations: [{ Event: 's3:ObjectCreated:*', Queue: { 'Fn::GetAtt': [notices.logicalId, 'Arn'] } }],
    });
    expect(bucket(/^ImagesBucket/).Properties.NotificationConfiguration).toBeUndefined();
    const policy = stack.the('AWS::SQS::QueuePolicy', /^DropBoxNoticesPolicy/);
    expect(policy.Properties.Queues).toEqual([{ Ref: notices.logicalId }]);
    expect(policy.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sqs:SendMessage',
        Principal: { Service: 's3.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
    // S3 tries the queue when the bucket is made.
    expect(DependsOn).toContain(policy.logicalId);
  });
});
