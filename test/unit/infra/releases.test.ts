import { describe, expect, test } from 'vitest';
import { backgroundFunctions } from '../../../lib/background.ts';
import { type Json, listOf, logicalIdsIn, manySettings, synthesize } from '../../support/infra/synthesized.ts';

const rotation: readonly string[] = backgroundFunctions
  .filter(({ trigger }) => 'rotation' in trigger)
  .map(({ id }) => id);

describe('the alias of a function', () => {
  const stack = synthesize({ docs: true });
  const released = [...stack.functions.keys()].filter((id) => !rotation.includes(id));
  const aliases = stack.ofType('AWS::Lambda::Alias');

  test('is live, at the version with the present code and settings', () => {
    expect(aliases.map(({ Properties }) => stack.functionAt(Properties.FunctionName)).sort()).toEqual(released.sort());
    for (const { Properties } of aliases) {
      expect(Properties.Name).toBe('live');
      const [version] = logicalIdsIn(Properties.FunctionVersion);
      expect(stack.resources[version!]).toMatchObject({
        Type: 'AWS::Lambda::Version',
        Properties: { FunctionName: Properties.FunctionName },
      });
    }
  });

  test('is what routes, queues and schedules invoke, and all that the schedules may invoke', () => {
    const invoked = [
      ...stack.properties('AWS::ApiGatewayV2::Integration').map(({ IntegrationUri }) => IntegrationUri),
      ...stack.properties('AWS::Lambda::EventSourceMapping').map(({ FunctionName }) => FunctionName),
      ...stack.properties('AWS::Events::Rule').flatMap(({ Targets }) => Targets.map(({ Arn }: Json) => Arn)),
    ].flatMap((reference) => logicalIdsIn(reference));
    expect(new Set(invoked)).toEqual(new Set(aliases.map(({ logicalId }) => logicalId)));
    const permitted = stack
      .properties('AWS::Lambda::Permission')
      .filter(({ Principal }) => Principal !== 'secretsmanager.amazonaws.com')
      .flatMap(({ FunctionName }) => logicalIdsIn(FunctionName));
    expect(permitted.filter((id) => stack.resources[id].Type !== 'AWS::Lambda::Alias')).toEqual([]);
  });

  test('moves at once without the setting, and no deployment group is made', () => {
    expect(stack.ofType('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    for (const { UpdatePolicy } of aliases) expect(UpdatePolicy).toBeUndefined();
  });

  test('gets every setting with a version: a parameter of the template would not make one', () => {
    const parameters = Object.keys(stack.template.toJSON().Parameters ?? {});
    for (const { properties } of stack.functions.values()) {
      expect(logicalIdsIn(properties).filter((id) => parameters.includes(id) && id !== 'BootstrapVersion')).toEqual([]);
    }
  });
});

describe('a deployment in steps', () => {
  const stack = synthesize({ docs: true, trafficShift: 'canary' });
  const groups = stack.ofType('AWS::CodeDeploy::DeploymentGroup');
  const alarmIds = groups[0].Properties.AlarmConfiguration.Alarms.map(({ Name }: Json) => Name.Ref);

  test('shifts each function by a deployment group of its own, which exists before', () => {
    const used = stack.ofType('AWS::Lambda::Alias').map(({ DependsOn, UpdatePolicy, Properties }) => {
      const { ApplicationName, DeploymentGroupName } = UpdatePolicy.CodeDeployLambdaAliasUpdate;
      expect(DeploymentGroupName).toBe(stack.functionAt(Properties.FunctionName));
      const group = groups.find((each) => each.Properties.DeploymentGroupName === DeploymentGroupName);
      expect(group.Properties.ApplicationName).toEqual(ApplicationName);
      expect(listOf(DependsOn)).toContain(group.logicalId);
      return group.logicalId;
    });
    expect(used.sort()).toEqual(groups.map(({ logicalId }) => logicalId).sort());
    const configurations = ({ properties }: ReturnType<typeof synthesize>) =>
      new Set(properties('AWS::CodeDeploy::DeploymentGroup').map(({ DeploymentConfigName }) => DeploymentConfigName));
    expect(configurations(stack)).toEqual(new Set(['CodeDeployDefault.LambdaCanary10Percent5Minutes']));
    const linear = 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute';
    expect(configurations(synthesize(manySettings))).toEqual(new Set([linear]));
  });

  test('makes five groups at the same time, because CodeDeploy throttles more', () => {
    const ids = groups.map(({ logicalId }) => logicalId);
    const before = groups.flatMap(({ DependsOn = [] }) => listOf<string>(DependsOn).filter((id) => ids.includes(id)));
    expect(new Set(before).size).toBe(before.length);
    expect(groups.length - before.length).toBe(5);
  });

  test('is rolled back by the same alarms in every group, also if it fails', () => {
    for (const { Properties } of groups) {
      expect(Properties.AlarmConfiguration.Enabled).toBe(true);
      expect(Properties.AlarmConfiguration.Alarms.map(({ Name }: Json) => Name.Ref)).toEqual(alarmIds);
      expect(Properties.AutoRollbackConfiguration.Events).toEqual([
        'DEPLOYMENT_FAILURE',
        'DEPLOYMENT_STOP_ON_ALARM',
        'DEPLOYMENT_STOP_ON_REQUEST',
      ]);
    }
  });

  test('is stopped by one 5xx in a thousand requests, and by one error of the new version of any function', () => {
    const alarms = alarmIds.map((id: string) => stack.resources[id].Properties);
    const [ofApi, ...ofVersions] = alarms;
    // A share of the requests: a busy service has some errors in every minute.
    expect([ofApi.Metrics[0].Expression, ofApi.Threshold]).toEqual([
      'IF(errors >= 5, 100 * errors / requests, 0)',
      0.1,
    ]);
    const watched = ofVersions.flatMap(({ Metrics }: Json) => Metrics).filter(({ MetricStat }: Json) => MetricStat);
    const versions = watched.map(({ MetricStat: { Metric } }: Json) => {
      const { FunctionName, ExecutedVersion } = Object.fromEntries(
        Metric.Dimensions.map(({ Name, Value }: Json) => [Name, Value]),
      );
      expect(stack.resources[ExecutedVersion['Fn::GetAtt'][0]].Properties.FunctionName).toEqual(FunctionName);
      return stack.functionAt(FunctionName);
    });
    expect(versions.sort()).toEqual([...stack.functions.keys()].filter((id) => !rotation.includes(id)).sort());
    for (const { AlarmActions, Metrics = [] } of alarms) {
      expect(AlarmActions).toHaveLength(1);
      // The limit of CloudWatch for an alarm on an expression.
      expect(Metrics.filter(({ MetricStat }: Json) => MetricStat).length).toBeLessThanOrEqual(10);
    }
  });

  test('can change the aliases of the stack and no others', () => {
    const [role] = logicalIdsIn(groups[0].Properties.ServiceRoleArn);
    const statements = stack.resources[role!].Properties.Policies[0].PolicyDocument.Statement as Json[];
    const changes = statements.filter(({ Action }) => listOf(Action).includes('lambda:UpdateAlias'));
    expect(changes).toHaveLength(1);
    expect(JSON.stringify(changes)).not.toContain('*');
    // CodeDeploy reads these, and IAM cannot limit the first one to alarms of the stack.
    const others = statements.filter((each) => !changes.includes(each)).flatMap(({ Action }) => listOf(Action));
    expect(others).toEqual(['cloudwatch:DescribeAlarms', 'lambda:GetProvisionedConcurrencyConfig']);
  });
});

describe('copies of backups', () => {
  const copyTo = 'arn:aws:backup:eu-west-1:777788889999:backup-vault:onboarding';
  const { the, properties } = synthesize({
    region: 'eu-central-1',
    encryptionKey: 'made',
    backups: { copies: { copyTo, keepDays: 90 } },
  });

  test('are made every day and kept as long as the setting says, beside two days in the account itself', () => {
    const [rule, ...others] = the('AWS::Backup::BackupPlan').Properties.BackupPlan.BackupPlanRule;
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      ScheduleExpression: 'cron(0 1 * * ? *)',
      Lifecycle: { DeleteAfterDays: 2 },
      CopyActions: [{ DestinationBackupVaultArn: copyTo, Lifecycle: { DeleteAfterDays: 90 } }],
    });
  });

  test('are of the table alone, by a role that can copy every backup and cannot restore', () => {
    expect(the('AWS::Backup::BackupSelection').Properties.BackupSelection.Resources).toHaveLength(1);
    const role = the('AWS::IAM::Role', /^BackupsRole/).Properties;
    expect(JSON.stringify(role.AssumeRolePolicyDocument)).toContain('backup.amazonaws.com');
    const statements: Json[] = role.Policies[0].PolicyDocument.Statement;
    const [copies, ...others] = statements.filter(({ Action }) =>
      listOf(Action).includes('backup:CopyFromBackupVault'),
    );
    expect(others).toEqual([]);
    expect(copies.Resource['Fn::Join'][1].at(-1)).toBe(':recovery-point:*');
    const rest = { ...role, Policies: statements.filter((each) => each !== copies) };
    expect(JSON.stringify(rest)).not.toMatch(/\*|Restore|ManagedPolicyArns/);
    const granting = statements.filter(({ Action }) => listOf(Action).includes('kms:CreateGrant'));
    expect(granting.map(({ Condition }) => Condition)).toEqual([{ Bool: { 'kms:GrantIsForAWSResource': 'true' } }]);
  });

  test('can be read with the key by the account that gets them, and by no other', () => {
    const principals = the('AWS::KMS::Key')
      .Properties.KeyPolicy.Statement.slice(1)
      .filter(({ Principal }: Json) => Principal.AWS);
    for (const { Principal } of principals) expect(JSON.stringify(Principal)).toContain(':iam::777788889999:root');
    const actions = principals.flatMap(({ Action }: Json) => Action);
    expect(actions).toEqual(expect.arrayContaining(['kms:Decrypt', 'kms:DescribeKey', 'kms:CreateGrant']));
  });

  test('tell the topic of what can wait if a job fails', () => {
    const rule = the('AWS::Events::Rule', /^BackupsFailures/).Properties;
    const { detail, ...pattern } = rule.EventPattern;
    expect(pattern).toEqual({
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
    });
    expect(detail.state).toEqual(expect.arrayContaining(['FAILED', 'ABORTED', 'EXPIRED']));
    expect(JSON.stringify(detail.resourceArn)).toContain(the('AWS::DynamoDB::GlobalTable').logicalId);
    const [topic] = logicalIdsIn(rule.Targets[0].Arn);
    expect(topic).toMatch(/^MonitoringAlarmsNotify/);
    const policy = properties('AWS::SNS::TopicPolicy').find(({ Topics }) => logicalIdsIn(Topics)[0] === topic);
    const [publishing] = policy.PolicyDocument.Statement.filter(
      ({ Principal }: Json) => Principal.Service === 'events.amazonaws.com',
    );
    // EventBridge cannot publish to a topic whose policy has a condition for it, and nobody would hear of it.
    expect(publishing).toMatchObject({ Effect: 'Allow', Action: 'sns:Publish', Resource: { Ref: topic } });
    expect(publishing.Condition).toBeUndefined();
    expect(JSON.stringify(the('AWS::KMS::Key'))).toContain('events.amazonaws.com');
  });

  test('raise an alarm if the report of a failure cannot be sent, and if none has completed for 26 hours', () => {
    const { logicalId, Properties } = the('AWS::Events::Rule', /^BackupsCopies/);
    expect(Properties.EventPattern).toMatchObject({
      'detail-type': ['Copy Job State Change'],
      detail: { state: ['COMPLETED'] },
    });
    const alarm = (name: string): Json =>
      properties('AWS::CloudWatch::Alarm').find(({ AlarmName }) => AlarmName.endsWith(name));
    expect(alarm('-BackupMissing')).toMatchObject({
      ...{ Namespace: 'AWS/Events', MetricName: 'TriggeredRules', Statistic: 'Sum', Threshold: 1 },
      Dimensions: [{ Name: 'RuleName', Value: { Ref: logicalId } }],
      ...{ ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' },
      ...{ Period: 3600, EvaluationPeriods: 26, DatapointsToAlarm: 26 },
    });
    expect(alarm('-BackupReportFailed')).toMatchObject({
      ...{ Namespace: 'AWS/Events', MetricName: 'FailedInvocations', Threshold: 1 },
      Dimensions: [{ Name: 'RuleName', Value: { Ref: the('AWS::Events::Rule', /^BackupsFailures/).logicalId } }],
    });
  });

  test('are not made without the setting', () => {
    expect(synthesize().ofType('AWS::Backup::BackupPlan')).toEqual([]);
  });
});
