import { Stack } from 'aws-cdk-lib';
import { type CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Deployment, partitionOf, removalPolicyOf, uniqueIdOf } from './deployment.ts';

/**
 * What CloudWatch Logs masks if it ever appears in a log. The service logs none of it. Names and postal addresses are
 * not in the list, because their detection would also mask words of ordinary log lines.
 */
const masked = [
  'EmailAddress',
  ...['DE', 'ES', 'FR', 'GB', 'IT', 'US'].map((country) => `PhoneNumber-${country}`),
  ...['DE', 'ES', 'FR', 'GB', 'IT', 'US'].map((country) => `BankAccountNumber-${country}`),
  'CreditCardNumber',
  'AwsSecretKey',
  'PkcsPrivateKey',
];

type LogProps = { period: 'logs' | 'accessLog'; name?: string };

/** A log that is kept as the settings say. */
export const logGroup = (scope: Construct, id: string, { settings, key }: Deployment, { period, name }: LogProps) =>
  new LogGroup(scope, id, {
    ...(name ? { logGroupName: name } : {}),
    retention: settings.retention[period],
    removalPolicy: removalPolicyOf(settings.removal.logs),
    ...(key ? { encryptionKey: key } : {}),
  });

/** A log that masks personal data and credentials, if the settings say so. */
export function maskedLogGroup(scope: Construct, id: string, deployment: Deployment, props: LogProps): LogGroup {
  const made = logGroup(scope, id, deployment, props);
  if (!deployment.settings.logDataProtection) return made;
  const { name } = partitionOf(scope);
  const DataIdentifier = masked.map((each) => `arn:${name}:dataprotection::aws:data-identifier/${each}`);
  // Not `DataProtectionPolicy` of the CDK, because with it the policies of all logs would double the template.
  (made.node.defaultChild as CfnLogGroup).dataProtectionPolicy = {
    Name: 'personal-data',
    Version: '2021-06-01',
    Statement: [
      { Sid: 'audit', DataIdentifier, Operation: { Audit: { FindingsDestination: {} } } },
      { Sid: 'mask', DataIdentifier, Operation: { Deidentify: { MaskConfig: {} } } },
    ],
  };
  return made;
}

/**
 * The name of a log that a service of AWS writes. The prefix keeps it out of the resource policy of CloudWatch Logs,
 * whose size is limited for all logs of an account.
 */
export const deliveredLogName = (scope: Construct, name: string): string =>
  `/aws/vendedlogs/${Stack.of(scope).stackName}/${name}-${uniqueIdOf(scope)}`;
