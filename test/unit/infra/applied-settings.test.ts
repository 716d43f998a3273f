import { describe, expect, test } from 'vitest';
import { fixedDays, retentionDefaults } from '../../../lib/domain/teams/retention.ts';
import { type Json, manySettings, synthesize } from '../../support/infra/synthesized.ts';

type Stack = ReturnType<typeof synthesize>;
const without = synthesize();
const stack = synthesize(manySettings);

test('a domain is the issuer and the only address of the API', () => {
  const { template, functions } = stack;
  const { ISSUER } = functions.get('create-token')!.properties.Environment.Variables;
  expect(ISSUER).toBe('https://api.bank.example');
  template.hasOutput('ApiUrl', { Value: ISSUER });
  expect(stack.properties('AWS::ApiGatewayV2::Api')).toMatchObject([{ DisableExecuteApiEndpoint: true }]);
  template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
    DomainName: manySettings.domain.name,
    DomainNameConfigurations: [{ CertificateArn: manySettings.domain.certificate, EndpointType: 'REGIONAL' }],
  });
  template.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', { Stage: '$default' });
  template.hasOutput('DomainTarget', {});
});

test('the sites that may frame channel content are told to the function that shows it, and to no other', () => {
  expect(stack.told('FRAME_ANCESTORS')).toEqual([['show-channel-content', 'https://a.example https://b.example']]);
  expect(without.told('FRAME_ANCESTORS')).toEqual([]);
});

describe('the days of retention', () => {
  test('are told to the functions that store, and all of them to the admin command', () => {
    const storing = ['create-batch', 'drop-box-reader', 'import-worker', 'sweeper'];
    expect(stack.told('PAYLOAD_RETENTION_DAYS')).toEqual(storing.map((id) => [id, '7']));
    expect(new Map(stack.told('EVENT_RETENTION_DAYS')).get('event-publisher')).toBe('90');
    // `confirm-journey` also serves the cancelling of journeys, which the audit log records.
    const recording = ['confirm-journey', 'create-token', 'create-webhook', 'erase-contact', 'erasure-worker'];
    // The worker publishes campaigns at their time.
    recording.push('import-worker', 'webhook-delivery');
    expect(stack.told('AUDIT_RETENTION_DAYS')).toEqual(recording.map((id) => [id, '400']));
    expect(without.told('AUDIT_RETENTION_DAYS')).toEqual(recording.map((id) => [id, '3650']));
    const output = stack.template.findOutputs('Retention').Retention?.Value;
    expect(JSON.parse(output)).toEqual({ ...retentionDefaults, ...manySettings.retention });
  });

  test('have the defaults of the stack', () => {
    const rules = without.properties('AWS::S3::Bucket').flatMap((each) => each.LifecycleConfiguration?.Rules ?? []);
    const lifecycles = rules.flatMap(
      (rule) => rule.ExpirationInDays ?? rule.NoncurrentVersionExpiration?.NoncurrentDays ?? [],
    );
    const { droppedFiles, deletedImages, bucketAccessLogs, logs, accessLog, backups } = retentionDefaults;
    expect(new Set(lifecycles)).toEqual(new Set([droppedFiles, deletedImages, bucketAccessLogs, fixedDays.work]));
    const groups = without.properties('AWS::Logs::LogGroup').map((each) => each.RetentionInDays);
    expect(new Set(groups)).toEqual(new Set([logs, accessLog]));
    expect(JSON.stringify(without.ofType('AWS::DynamoDB::GlobalTable'))).toContain(`"RecoveryPeriodInDays":${backups}`);
  });
});

test('a closed service rejects every request and starts nothing by itself, and loses no resource', () => {
  const closed = synthesize({ ...manySettings, closed: true });
  expect(Object.keys(closed.resources)).toEqual(Object.keys(stack.resources));
  const limitsOf = ({ the }: Stack): Json[] => {
    const { DefaultRouteSettings, RouteSettings } = the('AWS::ApiGatewayV2::Stage').Properties;
    return [DefaultRouteSettings, ...Object.values(RouteSettings)];
  };
  for (const limits of limitsOf(closed)) expect(limits).toEqual({ ThrottlingBurstLimit: 0, ThrottlingRateLimit: 0 });
  expect(limitsOf(closed)).toHaveLength(limitsOf(stack).length);
  const startedBy = ({ properties }: Stack) => [
    ...properties('AWS::Lambda::EventSourceMapping').map(({ Enabled }) => Enabled),
    ...properties('AWS::Events::Rule').flatMap(({ ScheduleExpression, State }) => (ScheduleExpression ? State : [])),
  ];
  expect(new Set(startedBy(closed))).toEqual(new Set([false, 'DISABLED']));
  expect(new Set(startedBy(stack))).toEqual(new Set([true, 'ENABLED']));
  // Nobody is woken because a closed service is silent.
  for (const { ActionsEnabled } of closed.properties('AWS::CloudWatch::Alarm')) expect(ActionsEnabled).toBe(false);
});

test('only the function that delivers webhooks runs in their network, and is told the ranges to avoid', () => {
  const own = { subnets: ['subnet-00000001'], securityGroups: ['sg-00000001'] };
  const outside = { subnets: ['subnet-00000002'], securityGroups: ['sg-00000002'] };
  const deniedRanges = ['203.0.112.0/24', '2001:4860::/32'];
  const { functions, told } = synthesize({ vpc: { ...own, webhooks: outside }, webhooks: { deniedRanges } });
  for (const [id, { properties }] of functions) {
    const { subnets, securityGroups } = id === 'webhook-delivery' ? outside : own;
    expect([id, properties.VpcConfig]).toEqual([id, { SubnetIds: subnets, SecurityGroupIds: securityGroups }]);
  }
  expect(told('WEBHOOK_DENIED_RANGES')).toEqual([['webhook-delivery', '203.0.112.0/24 2001:4860::/32']]);
});

describe('the event bus', () => {
  const putBy = (id: string, { functions }: Stack) =>
    functions.get(id)!.statements.filter(({ Action }: Json) => Action === 'events:PutEvents');

  test('is not there without the setting', () => {
    expect(without.ofType('AWS::Events::EventBus')).toEqual([]);
    expect([without.told('EVENT_BUS'), putBy('event-publisher', without)]).toEqual([[], []]);
  });

  test('of the institution gets the events, and only from the function that publishes them', () => {
    const { bus } = manySettings.events;
    expect(stack.ofType('AWS::Events::EventBus')).toEqual([]);
    expect(stack.told('EVENT_BUS')).toEqual([['event-publisher', bus]]);
    const statement = { Sid: 'PutEvents', Effect: 'Allow', Action: 'events:PutEvents', Resource: bus };
    expect(putBy('event-publisher', stack)).toEqual([statement]);
    const others = [...stack.functions].filter(([id]) => id !== 'event-publisher');
    expect(JSON.stringify(others)).not.toContain('events:PutEvents');
  });

  test('can be made by the stack, with an archive of all events as long as the feed keeps them', () => {
    const made = synthesize({ events: { bus: 'made' }, retention: { events: 90 } });
    expect(made.ofType('AWS::Events::EventBus')).toHaveLength(1);
    expect(made.properties('AWS::Events::Archive')).toEqual([
      expect.objectContaining({ EventPattern: { source: ['onboarding'] }, RetentionDays: 90 }),
    ]);
    const bus = { 'Fn::GetAtt': [expect.stringMatching(/^EventsBus/), 'Arn'] };
    expect(made.told('EVENT_BUS')).toEqual([['event-publisher', bus]]);
    expect(putBy('event-publisher', made)).toMatchObject([{ Resource: bus }]);
  });
});
