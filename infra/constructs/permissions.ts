import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type TablePermission, tablePermissions } from '../../lib/grants.ts';
import type { FilePattern, Grants } from '../../lib/routes.ts';
import type { IndexName } from '../../lib/store/table.ts';

/** ARNs of what a function's grants speak of. */
export type Resources = {
  table: string;
  index(name: IndexName): string;
  importQueue: string;
  dropQueue: string;
  /** Of objects in the drop box. */
  file(pattern: FilePattern): string;
  /** Of all images of teams. */
  images: string;
  signingKeys: string;
};

/** The statements that let a function do what its grants say, and nothing else. */
export function statementsOf(grants: Grants, resources: Resources): PolicyStatement[] {
  return [
    ...tablePermissions(grants).map((permission) => tableStatement(permission, resources)),
    ...(grants.sends ? [allow('Send', ['sqs:SendMessage'], resources.importQueue)] : []),
    ...(grants.forwards ? [allow('Forward', ['sqs:SendMessage'], resources.dropQueue)] : []),
    ...(grants.files ? fileStatements(grants.files, resources) : []),
    ...(grants.images ? [allow('ReadImages', ['s3:GetObject'], resources.images)] : []),
    ...(grants.signs ? [allow('Sign', ['secretsmanager:GetSecretValue'], resources.signingKeys)] : []),
  ];
}

/** What an event source mapping does in the function's name, and with `postpones` what the function does itself. */
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

/** A rotation writes new versions and moves their labels; it has no need to read a private key again. */
export const rotates = (secretArn: string): PolicyStatement =>
  allow(
    'Rotate',
    ['secretsmanager:DescribeSecret', 'secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'],
    secretArn,
  );

/** What was dropped is read as the version that it was; what the functions wrote themselves, as it is. */
const fileStatements = ({ read, write }: NonNullable<Grants['files']>, { file }: Resources): PolicyStatement[] => [
  allow('ReadFiles', ['s3:GetObject', 's3:GetObjectVersion'], ...read.map(file)),
  allow('WriteFiles', ['s3:PutObject'], ...write.map(file)),
];

export const allow = (sid: string, actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ sid, actions, resources });

/**
 * `dynamodb:LeadingKeys` are the partition keys that a request names; each statement of a batch and each part of a
 * transaction is judged by its own. ForAllValues is true where a request names none, as a Scan does: only actions
 * that DynamoDB lists with this condition key may ever be granted.
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
