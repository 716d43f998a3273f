import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { allow } from './permissions.ts';

export type TableBackupsProps = {
  /** ARN of the table. */
  table: string;
  /** ARN of a vault in another account or region, which gets a copy of every backup. */
  copyTo: string;
  /** Days that a backup and its copy are kept. */
  keepDays: number;
  /** Encrypts the backups in the vault of the stack. */
  key?: IKey | undefined;
};

const keyActions = ['kms:DescribeKey', 'kms:GenerateDataKey', 'kms:Decrypt', 'kms:CreateGrant'];

/** A daily backup of the table, with a copy in the vault of another account or region. */
export class TableBackups extends Construct {
  constructor(scope: Construct, id: string, { table, copyTo, keepDays, key }: TableBackupsProps) {
    super(scope, id);
    const vault = new BackupVault(this, 'Vault', {
      removalPolicy: RemovalPolicy.RETAIN,
      ...(key ? { encryptionKey: key } : {}),
    });
    const target = BackupVault.fromBackupVaultArn(this, 'Target', copyTo);
    const deleteAfter = Duration.days(keepDays);
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'Daily',
          backupVault: vault,
          scheduleExpression: Schedule.cron({ hour: '1', minute: '0' }),
          startWindow: Duration.hours(1),
          completionWindow: Duration.hours(12),
          deleteAfter,
          copyActions: [{ destinationBackupVault: target, deleteAfter }],
        }),
      ],
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
            allow('Store', ['backup:DescribeBackupVault', 'backup:CopyFromBackupVault'], vault.backupVaultArn),
            allow('Copy', ['backup:CopyIntoBackupVault'], copyTo),
            ...(key ? [allow('Key', keyActions, key.keyArn)] : []),
          ],
        }),
      },
    });
    plan.addSelection('Table', { resources: [BackupResource.fromArn(table)], role, disableDefaultBackupPolicy: true });
  }
}
