import { beforeAll, describe, expect, test } from 'vitest';
import { backgroundFunctions } from '../../lib/background.ts';
import { metricUnits } from '../../lib/metrics.ts';
import { type Json, synthesize } from './synthesized.ts';

const teamId = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
let stack: ReturnType<typeof synthesize>;

beforeAll(() => {
  stack = synthesize();
});

const alarmsOf = ({ ofType }: ReturnType<typeof synthesize>): Json[] =>
  ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const alarm = (name: string, from = stack): Json =>
  alarmsOf(from).find(({ AlarmName }) => AlarmName === `Onboarding-${name}`);
const topic = (severity: string): Json =>
  stack.ofType('AWS::SNS::Topic').find(({ logicalId }) => logicalId.startsWith(`MonitoringAlarms${severity}`));

describe('every alarm', () => {
  test('tells the topic of its severity when it goes off and when it is OK again', () => {
    const topics = { page: [{ Ref: topic('Page').logicalId }], notify: [{ Ref: topic('Notify').logicalId }] };
    for (const { AlarmDescription, AlarmActions, OKActions } of alarmsOf(stack)) {
      const [, severity] = /^\[(page|notify)\] \S.*\. See docs\/runbook\.md#\S+$/.exec(AlarmDescription) ?? [];
      expect([AlarmActions, OKActions]).toEqual(Array(2).fill(topics[severity as keyof typeof topics]));
    }
  });

  test('that wakes someone at night is about customers', () => {
    const pages = alarmsOf(stack).filter(({ AlarmDescription }) => AlarmDescription.startsWith('[page]'));
    const names = pages.map(({ AlarmName }) => AlarmName.replace('Onboarding-', ''));
    expect(names.sort()).toEqual(
      ['LostFiles', 'LostNotices', 'ServerErrorRate', 'Silent-import-sweeper', 'teams_late'].sort(),
    );
  });
});

describe('the topics', () => {
  test('let the alarms of this account publish, and have the receivers of the settings', () => {
    const { ofType } = synthesize({ alarmEmails: ['a@bank.example', 'b@bank.example'] });
    const publishes = {
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    const policies = ofType('AWS::SNS::TopicPolicy').map(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(policies).toHaveLength(2);
    for (const statements of policies) expect(statements).toContainEqual(expect.objectContaining(publishes));
    const receivers = ofType('AWS::SNS::Subscription').map(({ Properties }) => Properties.Endpoint);
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
    const { DestinationArn, Format } = stack.ofType('AWS::ApiGatewayV2::Stage')[0].Properties.AccessLogSettings;
    expect(JSON.parse(Format).status).toBe('$context.status');
    const { MetricName, Namespace } = alarm(name);
    stack.template.hasResourceProperties('AWS::Logs::MetricFilter', {
      LogGroupName: { Ref: DestinationArn['Fn::GetAtt'][0] },
      FilterPattern: `{ $.status = "${status}" }`,
      MetricTransformations: [{ MetricName, MetricNamespace: Namespace, MetricValue: '1' }],
    });
  });

  test('what is in no response: dead letters, a silent sweeper, errors of background functions', () => {
    const metrics = alarmsOf(stack).map(({ MetricName, Dimensions = [] }) =>
      [MetricName, ...Dimensions.map(({ Value }: Json) => Value.Ref ?? Value['Fn::GetAtt']?.[0])].join(' '),
    );
    const deadLetters = stack
      .ofType('AWS::SQS::Queue')
      .filter(({ logicalId }) => /DeadLetters/.test(logicalId))
      .map(({ logicalId }) => `ApproximateNumberOfMessagesVisible ${logicalId}`);
    expect(deadLetters).toHaveLength(3);
    const background = backgroundFunctions.map(({ id }) => `Errors ${stack.functions.get(id)!.logicalId}`);
    expect(metrics).toEqual(expect.arrayContaining([...deadLetters, ...background]));
    expect(alarm('Silent-import-sweeper')).toMatchObject({
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: stack.functions.get('import-sweeper')!.logicalId } }],
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  test('the metrics that the list of background functions names, with the dimensions that the functions write', () => {
    const watched = backgroundFunctions.flatMap((each) =>
      Object.keys('alarmOn' in each ? each.alarmOn : {}).map((name) => [each.id, name] as const),
    );
    expect(watched.map(([, name]) => name)).toEqual(['chunks_failed', 'teams_late', 'files_failed']);
    for (const [id, name] of watched) {
      expect(alarm(name)).toMatchObject({
        MetricName: name,
        Namespace: 'Onboarding',
        Dimensions: [
          { Name: 'function', Value: id },
          { Name: 'service', Value: 'onboarding' },
        ],
        Threshold: 1,
      });
    }
  });
});

describe('what is expected every day', () => {
  const expectedArrivals = [
    { name: 'nightly-accounts', byUtcHour: 6, what: 'accounts' as const, teamId },
    { name: 'any-file', byUtcHour: 0 },
    { name: 'batches', byUtcHour: 22, what: 'batches' as const },
  ];

  test.each([
    ['nightly-accounts', '-06:00', 'drop-box-reader', '$.type = "accounts"', `$.team_id = "${teamId}"`],
    ['any-file', 'UTC', 'drop-box-reader', '$.files_completed >= 1'],
    ['batches', '+02:00', 'import-worker', '$.chunks_completed >= 1'],
  ])('has an alarm: %s', (name, timezone, id, ...conditions) => {
    const { ofType, functions, ...made } = synthesize({ expectedArrivals });
    expect(alarm(`Missing-${name}`, { ofType, functions, ...made })).toMatchObject({
      Period: 86_400,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
      EvaluationWindow: { WallClockWindow: { Timezone: timezone } },
    });
    const filter = ofType('AWS::Logs::MetricFilter').find(
      ({ Properties }) => Properties.MetricTransformations[0].MetricName === `arrived-${name}`,
    );
    expect(filter.Properties.LogGroupName).toEqual(functions.get(id)!.properties.LoggingConfig.LogGroup);
    for (const condition of conditions) expect(filter.Properties.FilterPattern).toContain(condition);
  });

  test.each([
    [[{ name: 'two words', byUtcHour: 6 }], '.0.name must be 1 to 60 letters, digits and hyphens'],
    [[{ name: 'a', byUtcHour: 24 }], '.0.byUtcHour must be a whole number from 0 to 23'],
    [[{ name: 'a', byUtcHour: 6, teamId: 'x' }], '.0.teamId must be the UUID of a team'],
    [[...expectedArrivals, ...expectedArrivals], ' must not have the same name twice'],
  ])('is checked when the stack is made: %j', (arrivals, message) => {
    expect(() => synthesize({ expectedArrivals: arrivals })).toThrow(`expectedArrivals${message}`);
  });
});

describe('the budget', () => {
  test('is only there with its setting, and may publish to the topic of what can wait', () => {
    expect(stack.ofType('AWS::Budgets::Budget')).toEqual([]);
    const { template } = synthesize({ monthlyBudget: 300 });
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
    // With the routes of the API reference, which are a setting.
    expect(synthesize({ docs: true }).functions.size).toBeLessThanOrEqual(50);
  });

  test('shows metrics that exist: those of the functions by their names', () => {
    const shown = [...body().matchAll(/\\"Onboarding\\",\\"(\w+)\\"/g)].map(([, name]) => name!);
    expect(shown).toEqual(expect.arrayContaining(['oldest_open_chunk', 'records_applied', 'files_completed']));
    expect(shown.filter((name) => !(name in metricUnits))).toEqual([]);
  });
});

test('every function writes its metrics into the namespace of its stack', () => {
  for (const { properties } of stack.functions.values()) {
    expect(properties.Environment.Variables.METRICS_NAMESPACE).toBe('Onboarding');
  }
});
