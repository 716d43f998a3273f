import { describe, expect, test } from 'vitest';
import { type Json, listOf, synthesize } from '../../support/infra/synthesized.ts';

const vpc = { subnets: ['subnet-0123456789abcdef0'], securityGroups: ['sg-0123456789abcdef0'] };

describe.each([
  ['aws-cn', 'cn-north-1', 'amazonaws.com.cn'],
  ['aws-eusc', 'eusc-de-east-1', 'amazonaws.eu'],
])('in the partition %s', (partition, region, domain) => {
  const copyTo = `arn:${partition}:backup:${region}:777788889999:backup-vault:onboarding`;
  const stack = synthesize({
    ...{ region, encryptionKey: 'made', logDataProtection: true, trafficShift: 'linear', vpc, fips: true },
    backups: { copies: { copyTo } },
  });

  test('no ARN is of another partition', () => {
    const named = JSON.stringify(stack.resources).match(/arn:aws[a-z-]*:/g) ?? [];
    expect(new Set(named)).toEqual(new Set([`arn:${partition}:`]));
  });

  test('the key is used through the services of the region, and by its logs', () => {
    const statements = [...stack.functions.values()].flatMap((each) => each.statements);
    const through = statements.flatMap(({ Condition }) => Condition?.StringEquals?.['kms:ViaService'] ?? []);
    const expected = ['dynamodb', 'sqs', 's3', 'secretsmanager'].map((service) => `${service}.${region}.${domain}`);
    expect(new Set(through)).toEqual(new Set(expected));
    const services = stack
      .ofType('AWS::KMS::Key')[0]
      .Properties.KeyPolicy.Statement.flatMap(({ Principal }: Json) => listOf(Principal.Service ?? []));
    expect(services).toContain(`logs.${region}.${domain}`);
  });

  test('every function runs in the VPC of the settings, whose interfaces only Lambda itself may make', () => {
    for (const { properties, statements } of stack.functions.values()) {
      expect(properties.VpcConfig).toEqual({ SubnetIds: vpc.subnets, SecurityGroupIds: vpc.securityGroups });
      const [interfaces] = statements.filter(({ Sid }) => Sid === 'NetworkInterfaces');
      expect(interfaces.Action).toContain('ec2:CreateNetworkInterface');
      expect(interfaces.Condition).toEqual({ Null: { 'lambda:SourceFunctionArn': 'true' } });
    }
  });

  test('every function calls the FIPS endpoints of AWS', () => {
    expect(stack.told('AWS_USE_FIPS_ENDPOINT')).toHaveLength(stack.functions.size);
  });
});

test('without the settings, functions are in no VPC and call the usual endpoints', () => {
  const { told, functions } = synthesize();
  expect(told('AWS_USE_FIPS_ENDPOINT')).toEqual([]);
  for (const { properties, statements } of functions.values()) {
    expect(properties.VpcConfig).toBeUndefined();
    expect(JSON.stringify(statements)).not.toContain('ec2:');
  }
});
