import { Stack } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { partitionOf, removalPolicyOf } from './deployment.ts';

type KeyProps = Pick<Settings, 'encryptionKey' | 'removal'> & { services: readonly PolicyStatement[] };

/**
 * The key that encrypts everything that a stack stores, as the setting says: none (the keys of AWS), one that the stack
 * makes, or an existing one. The policy of an existing key must contain the same statements for `services`.
 */
export function encryptionKeyOf(
  scope: Construct,
  id: string,
  { encryptionKey, removal, services }: KeyProps,
): IKey | undefined {
  if (encryptionKey === 'none') return undefined;
  if (encryptionKey !== 'made') return Key.fromKeyArn(scope, id, encryptionKey);
  const key = new Key(scope, id, {
    description: `Encrypts the data of the stack ${Stack.of(scope).stackName}.`,
    enableKeyRotation: true,
    removalPolicy: removalPolicyOf(removal.data),
  });
  for (const statement of services) key.addToResourcePolicy(statement);
  return key;
}

/**
 * These statements let the services of AWS use the key where no function calls them. Everybody else needs a permission
 * of IAM, which the default policy of a key allows.
 */
export const logGroupsMayUse = (stack: Stack): PolicyStatement =>
  service(
    'LogGroups',
    `logs.${stack.region}.${partitionOf(stack).domain}`,
    ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
    inContext(stack, 'logs', 'logs:arn', 'log-group:*'),
  );

/**
 * Alarms, budgets and EventBridge publish to encrypted topics, S3 sends the notifications of the drop box, and EventBridge
 * what Amazon SES reports of messages.
 */
export const sendersMayUse = (stack: Stack): PolicyStatement[] => [
  service('BucketNotifications', 's3.amazonaws.com', sending, inContext(stack, 'sqs', 'sqs:arn')),
  service('MessageReports', 'events.amazonaws.com', sending, inContext(stack, 'sqs', 'sqs:arn')),
  ...Object.entries({ Alarms: 'cloudwatch', Budgets: 'budgets', Events: 'events' }).map(([sid, name]) =>
    service(sid, `${name}.amazonaws.com`, sending, inContext(stack, 'sns', 'sns:topicArn')),
  ),
];

/** AWS Backup copies a backup with the permissions of the account that gets the copy. */
export const copiesMayUse = (stack: Stack, copyTo: string): PolicyStatement[] => {
  const principals = [new ArnPrincipal(`arn:${stack.partition}:iam::${copyTo.split(':')[4]}:root`)];
  const resources = ['*'];
  const actions = ['kms:DescribeKey', 'kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*'];
  return [
    new PolicyStatement({ sid: 'Copies', principals, actions, resources }),
    new PolicyStatement({
      sid: 'CopyGrants',
      principals,
      actions: ['kms:CreateGrant', 'kms:ListGrants', 'kms:RevokeGrant'],
      resources,
      conditions: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    }),
  ];
};

const sending = ['kms:Decrypt', 'kms:GenerateDataKey*'];

/** SQS and SNS name the queue or the topic in every request to KMS. */
const inContext = ({ partition, region, account }: Stack, of: string, name: string, resource = '*') => ({
  ArnLike: { [`kms:EncryptionContext:aws:${name}`]: `arn:${partition}:${of}:${region}:${account}:${resource}` },
});

/** In the policy of a key, `*` is the key itself. */
const service = (sid: string, principal: string, actions: string[], conditions: Record<string, object>) =>
  new PolicyStatement({ sid, principals: [new ServicePrincipal(principal)], actions, resources: ['*'], conditions });
