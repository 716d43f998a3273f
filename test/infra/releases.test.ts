import { describe, expect, test } from 'vitest';
import { backgroundFunctions } from '../../lib/background.ts';
import { type Json, listOf, logicalIdsIn, synthesize } from './synthesized.ts';

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

  test('is what routes, queues and schedules invoke', () => {
    const invoked = [
      ...stack.ofType('AWS::ApiGatewayV2::Integration').map(({ Properties }) => Properties.IntegrationUri),
      ...stack.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties.FunctionName),
      ...stack.ofType('AWS::Events::Rule').flatMap(({ Properties }) => Properties.Targets.map(({ Arn }: Json) => Arn)),
    ].map((reference) => logicalIdsIn(reference));
    const aliasIds = aliases.map(({ logicalId }) => [logicalId]);
    expect(new Set(invoked.flat())).toEqual(new Set(aliasIds.flat()));
  });

  test('is all that API Gateway and the schedule may invoke', () => {
    for (const { Properties } of stack.ofType('AWS::Lambda::Permission')) {
      if (Properties.Principal === 'secretsmanager.amazonaws.com') continue;
      const [invoked] = logicalIdsIn(Properties.FunctionName);
      expect(stack.resources[invoked!].Type).toBe('AWS::Lambda::Alias');
    }
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

describe.each([
  ['canary', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
  ['linear', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
] as const)('a %s deployment', (trafficShift, configuration) => {
  const stack = synthesize({ docs: true, trafficShift });
  const groups = stack.ofType('AWS::CodeDeploy::DeploymentGroup');
  const alarmIds = groups[0].Properties.AlarmConfiguration.Alarms.map(({ Name }: Json) => Name.Ref);

  test('shifts each function by a deployment group of its own, which exists before', () => {
    const used = stack.ofType('AWS::Lambda::Alias').map(({ DependsOn, UpdatePolicy }) => {
      const group = UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref;
      expect(listOf(DependsOn)).toContain(group);
      return group;
    });
    expect(used.sort()).toEqual(groups.map(({ logicalId }) => logicalId).sort());
    for (const { Properties } of groups) expect(Properties.DeploymentConfigName).toBe(configuration);
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

  test('is stopped by 5xx of the API, and by one error of the new version of any function', () => {
    const alarms = alarmIds.map((id: string) => stack.resources[id].Properties);
    expect(alarms.filter(({ MetricName }: Json) => MetricName === '5xx')).toHaveLength(1);
    const watched = alarms.flatMap(({ Metrics = [] }: Json) => Metrics).filter(({ MetricStat }: Json) => MetricStat);
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

describe('the number of resources', () => {
  // CloudFormation allows 500. An endpoint has about ten. Before the limit is reached, move the endpoints of the pages
  // for people, which no partner calls, to a nested stack.
  test('leaves room for some more endpoints', () => {
    const { resources } = synthesize({ docs: true, trafficShift: 'linear' });
    expect(Object.keys(resources).length).toBeLessThanOrEqual(470);
  });
});

describe('copies of backups', () => {
  const copyTo = 'arn:aws:backup:eu-west-1:777788889999:backup-vault:onboarding';
  const { template, ofType } = synthesize({ backups: { copies: { copyTo, keepDays: 90 } } });

  test('are made every day, and kept as long as the setting says', () => {
    const [rule, ...others] = ofType('AWS::Backup::BackupPlan')[0].Properties.BackupPlan.BackupPlanRule;
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      ScheduleExpression: 'cron(0 1 * * ? *)',
      Lifecycle: { DeleteAfterDays: 90 },
      CopyActions: [{ DestinationBackupVaultArn: copyTo, Lifecycle: { DeleteAfterDays: 90 } }],
    });
    template.hasResource('AWS::Backup::BackupVault', { DeletionPolicy: 'Retain' });
  });

  test('are of the table alone, by a role that cannot restore', () => {
    const [selection] = ofType('AWS::Backup::BackupSelection');
    expect(selection.Properties.BackupSelection.Resources).toHaveLength(1);
    const [role] = ofType('AWS::IAM::Role').filter(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('backup.amazonaws.com'),
    );
    expect(JSON.stringify(role.Properties)).not.toMatch(/\*|Restore|ManagedPolicyArns/);
  });

  test('are not made without the setting', () => {
    expect(synthesize().ofType('AWS::Backup::BackupPlan')).toEqual([]);
  });
});
