import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { QueueName } from '../../lib/background.ts';
import { type Grants, type TablePermission, tablePermissions } from '../../lib/grants.ts';
import type { DropBox, ImageBucket } from './buckets.ts';
import type { DataTable } from './data-table.ts';
import { allow, partitionOf } from './deployment.ts';
import type { Messaging } from './messaging.ts';
import type { QueuePair } from './queues.ts';
import type { SigningKeys } from './secrets.ts';

/** What grants refer to. */
export type Resources = {
  table: DataTable;
  queues: Record<QueueName, QueuePair>;
  dropBox: DropBox;
  images: ImageBucket;
  signingKeys: SigningKeys;
  /** `undefined` without the setting `messages`: then grants that concern messages allow nothing. */
  messaging?: Messaging | undefined;
};

/** The policy statements that allow exactly what the grants say. */
export function statementsOf(grants: Grants, resources: Resources): PolicyStatement[] {
  const { table, queues, dropBox, images, signingKeys, messaging } = resources;
  const { sends, forwards, notifies, targets, files } = grants;
  const objects = (patterns: readonly string[]) => patterns.map((each) => dropBox.bucket.arnForObjects(each));
  // Dropped files, and all that an erasure searches, are read by version. Parts of files are read without one.
  const reads = ['s3:GetObjectVersion', ...(grants.erases ? [] : ['s3:GetObject'])];
  return [
    ...tablePermissions(grants).map((permission) => tableStatement(permission, table)),
    ...(sends ? [allow('Send', ['sqs:SendMessage'], queues.imports.queue.queueArn)] : []),
    ...(forwards ? [allow('Forward', ['sqs:SendMessage'], queues.drops.queue.queueArn)] : []),
    ...(notifies ? [allow('Notify', ['sqs:SendMessage'], queues.webhooks.queue.queueArn)] : []),
    ...(targets ? [allow('Target', ['sqs:SendMessage'], queues.targeting.queue.queueArn)] : []),
    ...(files ? [allow('ReadFiles', reads, ...objects(files.read))] : []),
    ...(files ? [allow('WriteFiles', ['s3:PutObject'], ...objects(files.write))] : []),
    ...(grants.erases ? [allow('ListFiles', ['s3:ListBucketVersions'], dropBox.bucket.bucketArn)] : []),
    ...(grants.erases ? [allow('DeleteFiles', ['s3:DeleteObjectVersion'], ...objects(['*']))] : []),
    ...(grants.erases ? [allow('ListErasure', ['s3:PutObject'], images.erasures)] : []),
    ...(grants.images ? [allow('ReadImages', ['s3:GetObject'], images.objects)] : []),
    ...(messaging ? messageStatements(grants, messaging) : []),
    ...(grants.signs ? [allow('Sign', ['secretsmanager:GetSecretValue'], signingKeys.arn)] : []),
  ];
}

const messageStatements = (
  { mails, hashes, journals, mailsOut }: Grants,
  { queues, secret, journal, sending }: Messaging,
): PolicyStatement[] => [
  ...(mails ? [allow('Mail', ['sqs:SendMessage'], queues.messages.queue.queueArn)] : []),
  ...(hashes ? [allow('HashAddresses', ['secretsmanager:GetSecretValue'], secret)] : []),
  ...(journals ? [allow('AddToJournal', ['s3:PutObject'], journal.entries)] : []),
  ...(mailsOut ? [sending] : []),
];

/**
 * `dynamodb:LeadingKeys` holds the partition keys of a request. IAM checks each statement of a batch and each part of a
 * transaction separately. `ForAllValues` is also true for a request without keys, such as a Scan, so grant only actions
 * for which DynamoDB documents this condition key.
 */
function tableStatement({ name, actions, partitions, indexes }: TablePermission, table: DataTable): PolicyStatement {
  const resources = indexes ? indexes.map((index) => table.indexArn(index)) : [table.arn];
  const actionsOfTable = actions.map((action) => `dynamodb:${action}`);
  const statement = allow(name, actionsOfTable, ...resources);
  statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [...partitions] });
  return statement;
}

/**
 * What an event source mapping does with the role of the function; with `postpones`, also what the function itself
 * does.
 */
export const consumes = (queueArn: string, postpones: boolean): PolicyStatement => {
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  return allow('Consume', [...actions, ...(postpones ? ['sqs:ChangeMessageVisibility'] : [])], queueArn);
};

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
