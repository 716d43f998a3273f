import { describe, expect, test } from 'vitest';
import { stages } from '../../../infra/stages.ts';
import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import { metricUnits } from '../../../lib/metrics.ts';
import { table } from '../../../lib/store/table/table.ts';
import { type Json, manySettings, sending, synthesize, synthesizeEdge } from '../../support/infra/synthesized.ts';

const stack = synthesize(sending);
const alarms = stack.properties('AWS::CloudWatch::Alarm');
const alarm = (name: string): Json => alarms.find(({ AlarmName }) => AlarmName === `Onboarding-${name}`);
const topic = (severity: string): Json => stack.the('AWS::SNS::Topic', new RegExp(`^MonitoringAlarms${severity}`));

describe('every alarm', () => {
  test('tells the topic of its severity when it goes off and when it is OK again', () => {
    const topics = { page: [{ Ref: topic('Page').logicalId }], notify: [{ Ref: topic('Notify').logicalId }] };
    for (const { AlarmDescription, AlarmActions, OKActions } of alarms) {
      const [, severity] = /^\[(page|notify)\] \S.*\. See docs\/runbook\.md#\S+$/.exec(AlarmDescription) ?? [];
      expect([AlarmActions, OKActions]).toEqual(Array(2).fill(topics[severity as keyof typeof topics]));
    }
  });

  test('that wakes someone at night is about customers', () => {
    const pages = alarms.filter(({ AlarmDescription }) => AlarmDescription.startsWith('[page]'));
    const names = pages.map(({ AlarmName }) => AlarmName.replace('Onboarding-', ''));
    expect(names.sort()).toEqual([
      ...['EventsFailed', 'EventsLate', 'FilesUntouched', 'LostFiles', 'LostNotices', 'NoticesLate', 'ServerErrorRate'],
      ...['Silent-event-publisher', 'Silent-sweeper'],
      // Nobody gets messages, and nobody can unsubscribe.
      ...['files_missing', 'files_unexpected', 'lists_mismatched', 'teams_late'],
    ]);
  });
});

describe('the topics', () => {
  test('let the alarms of this account publish, and have the receivers of the settings', () => {
    const { properties } = synthesize(manySettings);
    const publishes = {
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    const policies = properties('AWS::SNS::TopicPolicy').map(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(policies).toHaveLength(2);
    for (const statements of policies) expect(statements).toContainEqual(expect.objectContaining(publishes));
    const receivers = properties('AWS::SNS::Subscription').map(({ Endpoint }) => Endpoint);
    expect(receivers.sort()).toEqual(['a@bank.example', 'a@bank.example', 'b@bank.example', 'b@bank.example']);
  });
});

describe('alarms watch', () => {
  test('the rate of errors and the slowest responses in two of three minutes', () => {
    for (const name of ['ServerErrorRate', 'SlowResponses']) {
      expect(alarm(name)).toMatchObject({ EvaluationPeriods: 3, DatapointsToAlarm: 2 });
      const metrics = alarm(name).Metrics.flatMap(({ MetricStat }: Json) => (MetricStat ? [MetricStat.Period] : []));
      expect(metrics).toEqual([60, 60]);
    }
    const [rate] = alarm('ServerErrorRate').Metrics;
    expect(rate.Expression).toBe('IF(errors >= 5, 100 * errors / requests, 0)');
  });

  test.each([
    ['UnauthorizedRequests', '401'],
    ['ThrottledRequests', '429'],
  ])('%s: the status %s in the access log, where the gateway writes it as text', (name, status) => {
    const { DestinationArn, Format } = stack.the('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings;
    expect(JSON.parse(Format).status).toBe('$context.status');
    const { MetricName, Namespace } = alarm(name);
    stack.template.hasResourceProperties('AWS::Logs::MetricFilter', {
      LogGroupName: { Ref: DestinationArn['Fn::GetAtt'][0] },
      FilterPattern: `{ $.status = "${status}" }`,
      MetricTransformations: [{ MetricName, MetricNamespace: Namespace, MetricValue: '1' }],
    });
  });

  test('what is in no response: dead letters, a silent sweeper, errors of background functions', () => {
    const metrics = alarms.map(({ MetricName, Dimensions = [] }) =>
      [MetricName, ...Dimensions.map(({ Value }: Json) => Value.Ref ?? Value['Fn::GetAtt']?.[0])].join(' '),
    );
    const deadLetters = stack
      .ofType('AWS::SQS::Queue')
      .filter(({ logicalId }) => /DeadLetters|StreamFailures/.test(logicalId))
      .map(({ logicalId }) => `ApproximateNumberOfMessagesVisible ${logicalId}`);
    expect(deadLetters).toHaveLength(8);
    const background = [...backgroundFunctions, ...messageFunctions].map(
      ({ id }) => `Errors ${stack.functions.get(id)!.logicalId}`,
    );
    expect(metrics).toEqual(expect.arrayContaining([...deadLetters, ...background]));
  });

  test.each(['sweeper', 'event-publisher'])(
    'that %s, which is invoked every minute, has not run: an alarm, and not a lack of data that pagers ignore',
    (id) => {
      expect(alarm(`Silent-${id}`)).toMatchObject({
        MetricName: 'Invocations',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: stack.functions.get(id)!.logicalId } }],
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
        ...{ Period: 300, EvaluationPeriods: 2, DatapointsToAlarm: 2 },
      });
    },
  );

  test('messages that wait because a trigger is disabled', () => {
    const queue = (name: RegExp) => ({ 'Fn::GetAtt': [stack.the('AWS::SQS::Queue', name).logicalId, 'QueueName'] });
    expect(alarm('NoticesLate')).toMatchObject({
      ...{ MetricName: 'ApproximateAgeOfOldestMessage', Statistic: 'Maximum', Threshold: 900 },
      Dimensions: [{ Name: 'QueueName', Value: queue(/^DropBoxNotices[0-9A-F]{8}$/) }],
    });
    // The messages of a group wait for each other, also for hours, but then one of them is received or hidden.
    const [{ Expression }, ...metrics] = alarm('FilesUntouched').Metrics;
    expect(Expression).toBe('IF(FILL(received, 0) + FILL(hidden, 0) == 0, waiting, 0)');
    const dimensions = [{ Name: 'QueueName', Value: queue(/^DropBoxFiles[0-9A-F]{8}$/) }];
    expect(metrics.map(({ Id, MetricStat: { Metric } }: Json) => [Id, Metric.MetricName, Metric.Dimensions])).toEqual([
      ['waiting', 'ApproximateNumberOfMessagesVisible', dimensions],
      ['received', 'NumberOfMessagesReceived', dimensions],
      ['hidden', 'ApproximateNumberOfMessagesNotVisible', dimensions],
    ]);
    expect(alarm('FilesUntouched')).toMatchObject({ EvaluationPeriods: 3, DatapointsToAlarm: 3 });
  });

  test('changes that wait for their events', () => {
    expect(alarm('EventsLate')).toMatchObject({
      MetricName: 'IteratorAge',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: stack.functions.get('event-publisher')!.logicalId } }],
      Statistic: 'Maximum',
      Threshold: 600_000,
    });
  });

  test('throttles of the table and of writes to each index, also if most of these metrics have no data', () => {
    const [{ Expression }, ...metrics] = alarm('TableThrottles').Metrics;
    expect(Expression).toBe('SUM(FILL(METRICS(), 0))');
    const watched = metrics.map(({ MetricStat: { Metric } }: Json) => {
      const index = Metric.Dimensions.find(({ Name }: Json) => Name === 'GlobalSecondaryIndexName')?.Value;
      return `${Metric.MetricName} ${index ?? 'table'}`;
    });
    const writes = ['table', ...Object.keys(table.indexes)].map((of) => `WriteThrottleEvents ${of}`);
    expect(watched.sort()).toEqual(['ReadThrottleEvents directory', 'ReadThrottleEvents table', ...writes].sort());
  });

  test('the metrics that the list of background functions names, with the dimensions that the functions write', () => {
    const watched = [...backgroundFunctions, ...messageFunctions].flatMap((each) =>
      Object.keys('alarmOn' in each ? each.alarmOn : {}).map((name) => [each.id, name] as const),
    );
    const thresholds: Record<string, number> = {
      ...{ rows_rejected_percent: 5, oldest_webhook_event: 300, oldest_mark: 300, oldest_message: 300 },
    };
    expect(watched.map(([, name]) => name)).toEqual([
      ...['contacts_passed_over', 'chunks_failed', 'teams_late', 'files_missing', 'files_unexpected'],
      ...['webhooks_failing', 'oldest_webhook_event', 'targeting_stopped', 'oldest_mark', 'oldest_message'],
      ...['files_failed', 'rows_rejected_percent', 'counts_set_aside', 'targeting_passed_over'],
      ...['messages_passed_over', 'messages_stopped', 'lists_mismatched'],
    ]);
    for (const [id, name] of watched) {
      expect(alarm(name)).toMatchObject({
        MetricName: name,
        Namespace: 'Onboarding',
        Dimensions: [
          { Name: 'function', Value: id },
          { Name: 'service', Value: 'onboarding' },
        ],
        Statistic: 'Maximum',
        Threshold: thresholds[name] ?? 1,
      });
    }
  });
});

describe('the budget', () => {
  test('is only there with its setting, and may publish to the topic of what can wait', () => {
    expect(stack.ofType('AWS::Budgets::Budget')).toEqual([]);
    const { template } = synthesize(manySettings);
    const Subscribers = [{ SubscriptionType: 'SNS', Address: { Ref: topic('Notify').logicalId } }];
    template.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetLimit: { Amount: 300, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
      NotificationsWithSubscribers: [
        { Notification: { NotificationType: 'ACTUAL', Threshold: 80 }, Subscribers },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 }, Subscribers },
      ],
    });
    expect(JSON.stringify(template.findResources('AWS::SNS::TopicPolicy'))).toContain('budgets.amazonaws.com');
  });
});

describe('the dashboard', () => {
  const body = () => JSON.stringify(stack.ofType('AWS::CloudWatch::Dashboard')[0].Properties.DashboardBody);

  test('has every alarm, and no more log groups in a widget than CloudWatch can query', () => {
    for (const { logicalId } of stack.ofType('AWS::CloudWatch::Alarm')) expect(body()).toContain(logicalId);
    const { stack: all } = synthesizeEdge({ ...stages.production, docs: true });
    const [{ DashboardBody }] = all.properties('AWS::CloudWatch::Dashboard') as [Json];
    const { widgets } = JSON.parse(DashboardBody['Fn::Join'][1].map((part: Json) => part.Ref ?? part).join(''));
    const named = (widgets as Json[]).map(({ properties }) => properties.query?.match(/SOURCE/g).length ?? 0);
    expect(named.filter((logs) => logs > 50)).toEqual([]);
    // The failures of all functions, and two tables of one function.
    expect(named.reduce((sum, logs) => sum + logs, 0)).toBe(all.functions.size + 2);
  });

  test('shows metrics that exist: those of the functions by their names', () => {
    const shown = [...body().matchAll(/\\"Onboarding\\",\\"(\w+)\\"/g)].map(([, name]) => name!);
    expect(shown).toEqual(expect.arrayContaining(['oldest_open_chunk', 'records_applied', 'files_completed']));
    expect(shown.filter((name) => !(name in metricUnits))).toEqual([]);
  });
});

test('every function writes its metrics into the namespace of its stack', () => {
  expect(stack.told('METRICS_NAMESPACE')).toEqual([...stack.functions.keys()].sort().map((id) => [id, 'Onboarding']));
});
