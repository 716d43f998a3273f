import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import type { Settings } from './settings.ts';

/**
 * The findings of the rule packs that are accepted, each for all resources of a type, with the reason for an auditor.
 * Findings about single resources are accepted where the resource is made. `docs/security.md` has the list of both.
 */
type Acknowledgement = {
  rule: string;
  /** Those of the regulators, if it is not given. */
  packs?: readonly string[];
  /** CloudFormation type of the resources. */
  type: string;
  /** Only resources whose path in the stack matches. */
  path?: RegExp;
  /** Only with these settings. */
  when?: (settings: Settings) => boolean;
  reason: string;
};

const solutions = ['AwsSolutions'];
const nistAndHipaa = ['NIST.800.53.R5', 'HIPAA.Security'];
const regulators = [...nistAndHipaa, 'PCI.DSS.321'];

const withoutKey = (rule: string, type: string, path = /^/): Acknowledgement => ({
  ...{ rule, type, path },
  when: ({ encryptionKey }) => encryptionKey === 'none',
  reason:
    'The stage has only invented data, so it has no customer-managed key (setting `encryptionKey`). AWS encrypts the ' +
    'resource.',
});

const originSecret = (rule: string, packs: readonly string[]): Acknowledgement => ({
  rule,
  packs,
  type: 'AWS::SecretsManager::Secret',
  path: /^OriginSecrets/,
  reason:
    'The secret gives access to nothing: it only shows that a request passed AWS WAF. It is replaced without ' +
    'interruption by the setting `edge.originSecrets`. A rotation by schedule could not change the distribution.',
});

const messagesSecret = (rule: string, packs: readonly string[]): Acknowledgement => ({
  rule,
  packs,
  type: 'AWS::SecretsManager::Secret',
  path: /^Messaging/,
  reason:
    'The secret hashes listed addresses and seals the links in messages that were sent. With another secret, nobody who ' +
    'has unsubscribed would be known any more, and no link to unsubscribe would work.',
});

const acknowledgements: readonly Acknowledgement[] = [
  withoutKey('CloudWatchLogGroupEncrypted', 'AWS::Logs::LogGroup'),
  withoutKey('SNSEncryptedKMS', 'AWS::SNS::Topic'),
  withoutKey('SecretsManagerUsingKMSKey', 'AWS::SecretsManager::Secret'),
  withoutKey('S3DefaultEncryptionKMS', 'AWS::S3::Bucket', /^(?!DropBox\/AccessLogs)/),
  {
    rule: 'S3DefaultEncryptionKMS',
    type: 'AWS::S3::Bucket',
    path: /^DropBox\/AccessLogs/,
    reason:
      'Amazon S3 cannot deliver server access logs to a bucket that is encrypted with a customer-managed key. The ' +
      'bucket is encrypted with SSE-S3. It contains keys of objects, which name a team and a file, and no customer data.',
  },
  {
    rule: 'S3BucketReplicationEnabled',
    type: 'AWS::S3::Bucket',
    reason:
      'No bucket is the only place of its data: the partner keeps dropped files, the institution images, and the ' +
      'table, which has backups, the records of customers. Buckets have versions against overwriting and deletion.',
  },
  {
    rule: 'IAMNoInlinePolicy',
    type: 'AWS::IAM::Role',
    reason:
      'Each function has a role of its own with one policy, made from the list of its grants. An inline policy cannot ' +
      'be attached to any other identity and is deleted with its role, so the permission exists exactly once.',
  },
  {
    rule: 'LambdaInsideVPC',
    type: 'AWS::Lambda::Function',
    when: ({ vpc }) => vpc === undefined,
    reason:
      'The functions use no resource inside a VPC. They call only services of AWS, over TLS, where IAM controls every ' +
      'call. Only `webhook-delivery` sends to URLs, which an administrator registered, and to public addresses only. ' +
      'Nothing can open a connection to the functions.',
  },
  {
    rule: 'LambdaConcurrency',
    packs: nistAndHipaa,
    type: 'AWS::Lambda::Function',
    when: ({ reservedConcurrency }) => Object.keys(reservedConcurrency).length === 0,
    reason:
      'Concurrency is limited before the functions: for requests by the limits of each route, for queues by the maximum ' +
      'concurrency of their triggers. Reserved concurrency is a setting (`reservedConcurrency`). It is off by default, ' +
      'because it fails in a new account, whose whole limit is 10.',
  },
  {
    rule: 'LambdaDLQ',
    packs: nistAndHipaa,
    type: 'AWS::Lambda::Function',
    reason:
      'A dead-letter queue of a function is used only by asynchronous invocations. The only ones are the schedules of ' +
      '`sweeper` and `erasure-worker`: the next run does the work a minute later, and alarms report failures. ' +
      'Messages of SQS have the dead-letter queues of their queues, each with an alarm.',
  },
  originSecret('SMG4', solutions),
  originSecret('SecretsManagerRotationEnabled', nistAndHipaa),
  messagesSecret('SMG4', solutions),
  messagesSecret('SecretsManagerRotationEnabled', nistAndHipaa),
  {
    rule: 'CFR1',
    packs: solutions,
    type: 'AWS::CloudFront::Distribution',
    reason:
      'Customers open their pages from wherever they are, also while they travel, and the systems of partners may be ' +
      'in another country. An institution that must block countries adds a rule to the web ACL.',
  },
  {
    rule: 'CFR3',
    packs: solutions,
    type: 'AWS::CloudFront::Distribution',
    reason:
      'The distribution is logged, in the newer form that the rule does not know (a delivery of CloudWatch Logs). Only ' +
      'this form can leave out IP addresses, paths and query strings.',
  },
];

/** Call this when all resources of the stack exist. */
export function acknowledgeFindings(stack: Stack, settings: Settings): void {
  const resources = stack.node.findAll().filter((node) => CfnResource.isCfnResource(node));
  for (const { rule, packs = regulators, type, path = /^/, when, reason } of acknowledgements) {
    if (when && !when(settings)) continue;
    for (const resource of resources) {
      const place = resource.node.path.slice(stack.node.path.length + 1);
      if (resource.cfnResourceType !== type || !path.test(place)) continue;
      Validations.of(resource).acknowledge(...packs.map((pack) => ({ id: `${pack}-${rule}`, reason })));
    }
  }
}
