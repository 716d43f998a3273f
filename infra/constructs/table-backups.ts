import { ArnFormat, Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { allow, type Deployment, uniqueIdOf } from './deployment.ts';

/** Days that a backup is kept in the account itself, which also has point-in-time recovery. */
const ownDays = 2;

/** As the rule packs write what a template does not fix. */
const unknownPlace = ['<AWS::Region>', '<AWS::AccountId>'];

const keyActions = ['kms:DescribeKey', 'kms:GenerateDataKey', 'kms:Decrypt'];

type TableBackupsProps = NonNullable<Settings['backups']['copies']> & {
  /** ARN of the table. */
  table: string;
};

/** A daily backup of the table, with a copy in the vault of another account or region. */
export class TableBackups extends Construct {
  /** The events of backups and copies that failed. */
  readonly failures: Rule;
  /** The events of copies that completed. */
  readonly copies: Rule;

  constructor(scope: Construct, id: string, { key }: Deployment, props: TableBackupsProps) {
    const { table, copyTo, keepDays } = props;
    super(scope, id);
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: `backups-${uniqueIdOf(this)}`,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      ...(key ? { encryptionKey: key } : {}),
    });
    const target = BackupVault.fromBackupVaultArn(this, 'Target', copyTo);
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'Daily',
          backupVault: vault,
          scheduleExpression: Schedule.cron({ hour: '1', minute: '0' }),
          startWindow: Duration.hours(1),
          completionWindow: Duration.hours(12),
          deleteAfter: Duration.days(ownDays),
          copyActions: [{ destinationBackupVault: target, deleteAfter: Duration.days(keepDays) }],
        }),
      ],
    });
    const { region, account } = Stack.of(this);
    const place = [region, account].map((each, at) => (Token.isUnresolved(each) ? unknownPlace[at] : each)).join(':');
    const recoveryPoints = Stack.of(this).formatArn({
      service: 'backup',
      resource: 'recovery-point',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      inlinePolicies: {
        Backup: new PolicyDocument({
          statements: [
            allow(
              'Read',
              ['dynamodb:DescribeTable', 'dynamodb:ListTagsOfResource', 'dynamodb:StartAwsBackupJob'],
              table,
            ),
            allow('Store', ['backup:DescribeBackupVault'], vault.backupVaultArn),
            // These actions know no vault: their resource is the backup, whose id is not known before.
            allow('CopyFrom', ['backup:CopyFromBackupVault', 'backup:TagResource'], recoveryPoints),
            allow('Copy', ['backup:CopyIntoBackupVault'], copyTo),
            ...(key ? [allow('Key', keyActions, key.keyArn), grants(key)] : []),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:backup:${place}:recovery-point:*]`,
      reason:
        'The id of a backup is not known before it is made. The role can only copy it to the vault of the setting.',
    });
    plan.addSelection('Table', { resources: [BackupResource.fromArn(table)], role, disableDefaultBackupPolicy: true });
    const [backup, copy] = ['Backup Job State Change', 'Copy Job State Change'];
    const jobs = (detailType: string[], state: string[]) => ({
      source: ['aws.backup'],
      detailType,
      detail: { resourceArn: [table], state },
    });
    this.failures = new Rule(this, 'Failures', {
      description: 'Backups of the table, and copies of them, that failed.',
      eventPattern: jobs([backup, copy], ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL']),
    });
    this.copies = new Rule(this, 'Copies', {
      description: 'Copies of backups of the table. An alarm counts them.',
      eventPattern: jobs([copy], ['COMPLETED']),
    });
  }
}

function grants(key: IKey): PolicyStatement {
  const statement = allow('KeyGrants', ['kms:CreateGrant'], key.keyArn);
  statement.addCondition('Bool', { 'kms:GrantIsForAWSResource': 'true' });
  return statement;
}
