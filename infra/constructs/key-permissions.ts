import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { partitionOf } from './partition.ts';
import { allow } from './permissions.ts';

/** The services that use the key for their caller, with the actions that store something encrypted. */
const services = {
  dynamodb: ['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem', 'DeleteItem'],
  sqs: ['SendMessage'],
  s3: ['PutObject'],
  secretsmanager: ['PutSecretValue'],
};

const reading = ['kms:Decrypt', 'kms:DescribeKey'];
const writing = ['kms:GenerateDataKey'];
/** DynamoDB also encrypts with the key itself. */
const writingTable = ['kms:Encrypt', 'kms:ReEncryptFrom', 'kms:ReEncryptTo', ...writing];

/**
 * The permissions on a customer-managed key that the actions of the statements need. `kms:ViaService` allows the key
 * only in calls of that service: no function can encrypt or decrypt by itself.
 */
export function keyStatements(statements: readonly PolicyStatement[], key: IKey | undefined): PolicyStatement[] {
  if (!key) return [];
  const actions = new Set(statements.flatMap((statement) => statement.actions));
  return Object.entries(services).flatMap(([service, stores]) => {
    if (![...actions].some((action) => action.startsWith(`${service}:`))) return [];
    const writes = stores.some((action) => actions.has(`${service}:${action}`));
    const stored = service === 'dynamodb' ? writingTable : writing;
    const statement = allow(`Key${service}`, [...reading, ...(writes ? stored : [])], key.keyArn);
    statement.addCondition('StringEquals', {
      'kms:ViaService': `${service}.${Stack.of(key).region}.${partitionOf(key).domain}`,
    });
    return [statement];
  });
}
