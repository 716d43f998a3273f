import type { CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { partitionOf } from './partition.ts';

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
/** Not `DataProtectionPolicy` of the CDK, because with it the policies of all logs would double the template. */
function policyFor(partition: string) {
  const DataIdentifier = masked.map((name) => `arn:${partition}:dataprotection::aws:data-identifier/${name}`);
  return {
    Name: 'personal-data',
    Version: '2021-06-01',
    Statement: [
      { Sid: 'audit', DataIdentifier, Operation: { Audit: { FindingsDestination: {} } } },
      { Sid: 'mask', DataIdentifier, Operation: { Deidentify: { MaskConfig: {} } } },
    ],
  };
}

/** Masks personal data and credentials in the log. */
export function maskPersonalData(logGroup: LogGroup): void {
  (logGroup.node.defaultChild as CfnLogGroup).dataProtectionPolicy = policyFor(partitionOf(logGroup).name);
}
