import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { entryPoints } from '../../infra/bundle.ts';
import { backgroundFunctions, dropQueue, importQueue, noticeQueue, type QueueName } from '../../lib/background.ts';
import { type Json, synthesize } from './synthesized.ts';

let stack: ReturnType<typeof synthesize>;

beforeAll(() => {
  stack = synthesize();
});

const only = (type: string): Json => {
  const [resource, ...others] = stack.ofType(type);
  expect(others).toEqual([]);
  return resource;
};

const queueNames: Record<QueueName, RegExp> = {
  imports: /^ImportsQueue/,
  notices: /^DropBoxNotices[0-9A-F]{8}$/,
  drops: /^DropBoxFiles[0-9A-F]{8}$/,
};
const queue = (name: RegExp): Json =>
  stack.ofType('AWS::SQS::Queue').find(({ logicalId }: Json) => name.test(logicalId)) as Json;

describe('messages', () => {
  // A team waits for a stopped worker until its message is visible again. A repeated attempt does no harm.
  test('of imports stay hidden little longer than any attempt may take, the others six times as long', () => {
    const hidden = { imports: importQueue, notices: noticeQueue, drops: dropQueue };
    for (const { id, timeout, trigger } of backgroundFunctions) {
      if (!('queue' in trigger)) continue;
      const longest = id === 'import-worker' ? 75 : Number.POSITIVE_INFINITY;
      const least = id === 'import-worker' ? timeout + 10 : 6 * timeout;
      expect(hidden[trigger.queue].visibilityTimeout).toBeGreaterThanOrEqual(least);
      expect(hidden[trigger.queue].visibilityTimeout).toBeLessThanOrEqual(longest);
      expect(queue(queueNames[trigger.queue]).Properties.VisibilityTimeout).toBe(
        hidden[trigger.queue].visibilityTimeout,
      );
    }
  });

  test('are only reached over TLS', () => {
    for (const { logicalId } of stack.ofType('AWS::SQS::Queue')) {
      stack.template.hasResourceProperties('AWS::SQS::QueuePolicy', {
        Queues: [{ Ref: logicalId }],
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({
              Effect: 'Deny',
              Action: 'sqs:*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            }),
          ]),
        },
      });
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

describe('monitoring', () => {
  const metrics = () =>
    stack.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => {
      const dimensions = (Properties.Dimensions ?? []).map(({ Value }: Json) => Value.Ref ?? Value['Fn::GetAtt']?.[0]);
      return [Properties.MetricName, ...dimensions].join(' ');
    });

  test('watches what shows in no answer: dead letters, a silent sweeper', () => {
    const deadLetters = stack
      .ofType('AWS::SQS::Queue')
      .filter(({ logicalId }) => /DeadLetters/.test(logicalId))
      .map(({ logicalId }) => `ApproximateNumberOfMessagesVisible ${logicalId}`);
    expect(deadLetters).toHaveLength(3);
    expect(metrics()).toEqual(expect.arrayContaining(deadLetters));
    stack.template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: stack.functions.get('import-sweeper')!.logicalId } }],
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  test.each([
    ['import-sweeper', 'chunks_failed'],
    ['import-sweeper', 'teams_late'],
    ['drop-box-reader', 'files_given_up'],
  ])('watches what %s tells in its log as %s', (id, field) => {
    const log = stack.functions.get(id)!.properties.LoggingConfig.LogGroup;
    const [filter, ...others] = stack
      .ofType('AWS::Logs::MetricFilter')
      .filter(({ Properties }) => Properties.FilterPattern === `{ $.${field} > 0 }`);
    expect(others).toEqual([]);
    const { LogGroupName, MetricTransformations } = filter.Properties;
    expect(LogGroupName).toEqual(log);
    const [{ MetricName, MetricNamespace, MetricValue }] = MetricTransformations;
    expect(MetricValue).toBe(`$.${field}`);
    stack.template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName, Namespace: MetricNamespace });
    expect(readFileSync(entryPoints[id]!, 'utf8')).toMatch(new RegExp(`logger\\(\\)\\.\\w+\\(.*\\b${field}\\b.*\\)`));
  });

  test('watches nothing else that a function tells', () => {
    const watched = backgroundFunctions.flatMap((each) => ('alarmOn' in each ? each.alarmOn : []));
    expect(watched).toEqual(['chunks_failed', 'teams_late', 'files_given_up']);
    expect(stack.ofType('AWS::Logs::MetricFilter')).toHaveLength(watched.length);
  });

  test('watches the errors of every function that no request calls, and of the API as a whole', () => {
    const background = backgroundFunctions.map(({ id }) => `Errors ${stack.functions.get(id)!.logicalId}`);
    expect(metrics()).toEqual(expect.arrayContaining(background));
    stack.template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: '5xx' });
    stack.template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'Throttles' });
  });

  test('explains every alarm in docs/deployment.md', () => {
    const [, section = ''] = readFileSync('docs/deployment.md', 'utf8').split('\n## Alarms\n');
    const explained = [...section.split('\n## ')[0]!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!);
    // A logical id is made of the letters and digits of the names above it, and a hash.
    const plain = (name: string) => name.replaceAll(/[^a-zA-Z]/g, '');
    const deployed = stack.ofType('AWS::CloudWatch::Alarm').map(({ logicalId }) => logicalId.slice(0, -8));
    expect(explained.map((name) => `Monitoring${plain(name)}`).sort()).toEqual(deployed.sort());
  });

  test('sends every alarm to the topic, where alarms may publish, and the topic to the receivers of the settings', () => {
    const topic = only('AWS::SNS::Topic').logicalId;
    for (const { Properties } of stack.ofType('AWS::CloudWatch::Alarm')) {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic }]);
      expect(Properties.AlarmDescription).toBeTruthy();
    }
    const { Statement } = only('AWS::SNS::TopicPolicy').Properties.PolicyDocument;
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
    const { ofType } = synthesize({ alarmEmails: ['a@bank.example', 'b@bank.example'] });
    const receivers = ofType('AWS::SNS::Subscription').map(({ Properties }) => [
      Properties.Protocol,
      Properties.Endpoint,
    ]);
    expect(receivers).toEqual([
      ['email', 'a@bank.example'],
      ['email', 'b@bank.example'],
    ]);
  });
});
