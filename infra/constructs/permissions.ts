import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FilePattern, Grants } from '../../lib/grants.ts';
import { type TablePermission, tablePermissions } from '../../lib/grants.ts';
import type { IndexName } from '../../lib/store/table.ts';

/** ARNs of the resources that grants refer to. */
export type Resources = {
  table: string;
  index(name: IndexName): string;
  importQueue: string;
  dropQueue: string;
  webhookQueue: string;
  /** Objects in the drop box. */
  file(pattern: FilePattern): string;
  /** The ARN of all images of teams. */
  images: string;
  signingKeys: string;
};

/** The policy statements that allow exactly what the grants say. */
export function statementsOf(grants: Grants, resources: Resources): PolicyStatement[] {
  return [
    ...tablePermissions(grants).map((permission) => tableStatement(permission, resources)),
    ...(grants.sends ? [allow('Send', ['sqs:SendMessage'], resources.importQueue)] : []),
    ...(grants.forwards ? [allow('Forward', ['sqs:SendMessage'], resources.dropQueue)] : []),
    ...(grants.notifies ? [allow('Notify', ['sqs:SendMessage'], resources.webhookQueue)] : []),
    ...(grants.files ? fileStatements(grants.files, resources) : []),
    ...(grants.images ? [allow('ReadImages', ['s3:GetObject'], resources.images)] : []),
    ...(grants.signs ? [allow('Sign', ['secretsmanager:GetSecretValue'], resources.signingKeys)] : []),
  ];
}

/**
 * What an event source mapping does with the role of the function; with `postpones`, also what the function itself
 * does.
 */
export const consumes = (queueArn: string, postpones: boolean): PolicyStatement =>
  allow(
    'Consume',
    [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      ...(postpones ? ['sqs:ChangeMessageVisibility'] : []),
    ],
    queueArn,
  );

/** A rotation writes new versions and moves their labels. It never reads a private key. */
export const rotates = (secretArn: string): PolicyStatement =>
  allow(
    'Rotate',
    ['secretsmanager:DescribeSecret', 'secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'],
    secretArn,
  );

/** Dropped files are read by version. Objects that the functions wrote are read without one. */
const fileStatements = ({ read, write }: NonNullable<Grants['files']>, { file }: Resources): PolicyStatement[] => [
  allow('ReadFiles', ['s3:GetObject', 's3:GetObjectVersion'], ...read.map(file)),
  allow('WriteFiles', ['s3:PutObject'], ...write.map(file)),
];

export const allow = (sid: string, actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ sid, actions, resources });

/**
 * `dynamodb:LeadingKeys` holds the partition keys of a request. IAM checks each statement of a batch and each part of a
 * transaction separately. `ForAllValues` is also true for a request without keys, such as a Scan, so grant only actions
 * for which DynamoDB documents this condition key.
 */
function tableStatement(permission: TablePermission, { table, index }: Resources): PolicyStatement {
  const { name, actions, partitions, indexes } = permission;
  const statement = allow(
    name,
    actions.map((action) => `dynamodb:${action}`),
    ...(indexes ? indexes.map(index) : [table]),
  );
  statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [...partitions] });
  return statement;
}
