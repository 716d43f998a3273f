import { Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  backgroundFunctions,
  dropQueue,
  importQueue,
  noticeQueue,
  type QueueName,
  tableStream,
  webhookQueue,
} from '../../lib/background.ts';
import { type Json, synthesize } from './synthesized.ts';

let stack: ReturnType<typeof synthesize>;

beforeAll(() => {
  stack = synthesize();
});

const queueNames: Record<QueueName, RegExp> = {
  imports: /^ImportsQueue/,
  notices: /^DropBoxNotices[0-9A-F]{8}$/,
  drops: /^DropBoxFiles[0-9A-F]{8}$/,
  webhooks: /^WebhooksQueue/,
};
const queue = (name: RegExp): Json =>
  stack.ofType('AWS::SQS::Queue').find(({ logicalId }: Json) => name.test(logicalId)) as Json;

describe('messages', () => {
  // A team waits for a stopped worker until its message is visible again. A repeated attempt does no harm.
  test('of imports and webhooks stay hidden little longer than any attempt may take, the others six times as long', () => {
    const hidden = { imports: importQueue, notices: noticeQueue, drops: dropQueue, webhooks: webhookQueue };
    for (const { id, timeout, trigger } of backgroundFunctions) {
      if (!('queue' in trigger)) continue;
      const isWoken = id === 'import-worker' || id === 'webhook-delivery';
      const longest = isWoken ? 75 : Number.POSITIVE_INFINITY;
      const least = isWoken ? timeout + 10 : 6 * timeout;
      expect(hidden[trigger.queue].visibilityTimeout).toBeGreaterThanOrEqual(least);
      expect(hidden[trigger.queue].visibilityTimeout).toBeLessThanOrEqual(longest);
      expect(queue(queueNames[trigger.queue]).Properties.VisibilityTimeout).toBe(
        hidden[trigger.queue].visibilityTimeout,
      );
    }
  });

  test('are worked a few at a time, and each answers for itself', () => {
    for (const { id, trigger } of backgroundFunctions) {
      if (!('queue' in trigger)) continue;
      stack.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        EventSourceArn: { 'Fn::GetAtt': [queue(queueNames[trigger.queue]).logicalId, 'Arn'] },
        FunctionName: stack.aliasOf(id),
        BatchSize: trigger.batchSize,
        ScalingConfig: { MaximumConcurrency: trigger.maxConcurrency },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    }
  });
});

test('changes of the table are published in batches, of which a poisoned one is split and given up to a queue', () => {
  const [table] = stack.ofType('AWS::DynamoDB::GlobalTable');
  expect(table.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  const failures = queue(/^StreamFailures/);
  expect(failures.Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 1_209_600 });
  stack.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': [table.logicalId, 'StreamArn'] },
    FunctionName: stack.aliasOf('event-publisher'),
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 1000,
    MaximumBatchingWindowInSeconds: 1,
    ParallelizationFactor: 1,
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [failures.logicalId, 'Arn'] } } },
    FilterCriteria: {
      Filters: [{ Pattern: JSON.stringify({ dynamodb: { Keys: { sk: { S: tableStream.sortKeys } } } }) }],
    },
  });
});

test('Lambda lets the functions that send to their own queue do so, and stops any other loop', () => {
  const allowed = stack
    .ofType('AWS::Lambda::Function')
    .filter(({ Properties }: Json) => Properties.RecursiveLoop !== undefined)
    .map(({ logicalId, Properties }: Json) => [stack.functionAt({ Ref: logicalId }), Properties.RecursiveLoop]);
  expect(allowed.toSorted()).toEqual([
    ['drop-box-reader', 'Allow'],
    ['import-worker', 'Allow'],
    ['webhook-delivery', 'Allow'],
  ]);
});

describe('imports', () => {
  const queues = () => ({ imports: queue(queueNames.imports), deadLetters: queue(/^ImportsDeadLetters/) });

  test('go through a FIFO queue that gives up to a FIFO dead-letter queue, both encrypted', () => {
    const { imports, deadLetters } = queues();
    const { visibilityTimeout, retention, maxReceiveCount } = importQueue;
    for (const { Properties } of [imports, deadLetters]) {
      expect(Properties).toMatchObject({
        FifoQueue: true,
        SqsManagedSseEnabled: true,
        VisibilityTimeout: visibilityTimeout,
        MessageRetentionPeriod: retention,
      });
    }
    expect(imports.Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters.logicalId, 'Arn'] },
      maxReceiveCount,
    });
  });

  test('of one team hold up no other: the queue is FIFO by group, at high throughput', () => {
    for (const { Properties } of Object.values(queues())) {
      expect(Properties).toMatchObject({
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
      });
    }
  });

  test('are swept every minute, without retries beside the next run', () => {
    stack.template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [Match.objectLike({ Arn: { Ref: stack.aliasIdOf('import-sweeper') } })],
    });
    stack.template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: stack.functions.get('import-sweeper')!.logicalId },
      Qualifier: Match.anyValue(),
      MaximumRetryAttempts: 0,
    });
  });
});
