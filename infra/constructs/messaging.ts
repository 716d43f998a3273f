import { Fn, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnConfigurationSet, CfnConfigurationSetEventDestination, CfnEmailIdentity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { feedbackQueue, messageQueue } from '../../lib/background.ts';
import type { Settings } from '../settings.ts';
import { SuppressionJournal } from './buckets.ts';
import { allow, type Deployment } from './deployment.ts';
import { type QueuePair, queuePair } from './queues.ts';

type MessageSettings = NonNullable<Settings['messages']>;

/** What SES reports, as the name of its event and the body of a message for the function `message-feedback`. */
type Report = {
  id: string;
  detailType: string;
  /** Where the event has its own time. */
  part: 'delivery' | 'bounce' | 'complaint';
  detail?: object;
  says: { type: 'delivered' | 'bounced' | 'complained'; permanent?: boolean };
};

const permanent = 'Permanent';
const reports: readonly Report[] = [
  { id: 'Delivered', detailType: 'Email Delivered', part: 'delivery', says: { type: 'delivered' } },
  {
    ...{ id: 'Bounced', detailType: 'Email Bounced', part: 'bounce' },
    detail: { bounce: { bounceType: [permanent] } },
    says: { type: 'bounced', permanent: true },
  },
  {
    ...{ id: 'BouncedForNow', detailType: 'Email Bounced', part: 'bounce' },
    detail: { bounce: { bounceType: [{ 'anything-but': permanent }] } },
    says: { type: 'bounced', permanent: false },
  },
  { id: 'Complained', detailType: 'Email Complaint Received', part: 'complaint', says: { type: 'complained' } },
];

/**
 * What the setting `messages` adds: the domains that messages come from, with Amazon SES, what SES reports of messages, and
 * the list of addresses outside of the table. It is a nested stack because a stack has at most 500 resources.
 */
export class Messaging extends NestedStack {
  readonly queues: { messages: QueuePair; feedback: QueuePair };
  readonly journal: SuppressionJournal;
  /** The ARN of the secret that seals links and hashes addresses. */
  readonly secret: string;
  readonly configurationSet: string;
  /** What the function that sends messages may do. */
  readonly sending: PolicyStatement;
  /** For outputs: the DNS records to set, by domain. */
  readonly records: Record<string, string> = {};

  constructor(scope: Construct, id: string, deployment: Deployment, { senders }: MessageSettings, logs: IBucket) {
    super(scope, id, { description: 'Email messages of the onboarding service.' });
    const { key } = deployment;
    this.queues = {
      messages: queuePair(this, ['Due', 'DueDeadLetters'], { ...messageQueue, key, isFifo: true }),
      feedback: queuePair(this, ['Reports', 'ReportsDeadLetters'], { ...feedbackQueue, key, isFifo: false }),
    };
    // In the stack itself: the findings of the rules name a bucket of a nested stack in two ways.
    this.journal = new SuppressionJournal(scope, 'Journal', deployment, logs);
    this.secret = this.#secret(deployment);
    const set = new CfnConfigurationSet(this, 'Set', {
      name: `${Stack.of(scope).stackName}-messages`,
      // The list of the service decides, team by team. That of SES is one for the account.
      suppressionOptions: { suppressedReasons: [] },
      reputationOptions: { reputationMetricsEnabled: true },
      deliveryOptions: { tlsPolicy: 'REQUIRE' },
    });
    this.configurationSet = set.ref;
    const identities = Object.keys(senders).map((domain) => this.#identity(domain, set));
    const { partition, region, account } = Stack.of(this);
    const arnOf = (resource: string) => `arn:${partition}:ses:${region}:${account}:${resource}`;
    const sets = arnOf(`configuration-set/${set.ref}`);
    this.sending = allow('SendMail', ['ses:SendRawEmail'], ...identities.map((ref) => arnOf(`identity/${ref}`)), sets);
    this.#report(set);
  }

  /** Suppresses the rule against wildcards for a function that adds entries to the journal. */
  acknowledge(role: Role): void {
    this.journal.acknowledge(role);
  }

  /**
   * Kept when the stack is deleted: without it the lists of addresses are worthless, and no link to unsubscribe works. It
   * is never rotated.
   */
  #secret({ key }: Deployment): string {
    const secret = new CfnSecret(this, 'Secret', {
      description: 'Hashes the listed addresses and seals the links in messages. Never rotate or delete it.',
      generateSecretString: { passwordLength: 43, excludePunctuation: true },
      ...(key ? { kmsKeyId: key.keyArn } : {}),
    });
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return secret.ref;
  }

  #identity(domain: string, set: CfnConfigurationSet): string {
    const identity = new CfnEmailIdentity(this, `Domain-${domain}`, {
      emailIdentity: domain,
      dkimSigningAttributes: { nextSigningKeyLength: 'RSA_2048_BIT' },
      configurationSetAttributes: { configurationSetName: set.ref },
      // The events have all of it.
      feedbackAttributes: { emailForwardingEnabled: false },
    });
    const tokens = [
      [identity.attrDkimDnsTokenName1, identity.attrDkimDnsTokenValue1],
      [identity.attrDkimDnsTokenName2, identity.attrDkimDnsTokenValue2],
      [identity.attrDkimDnsTokenName3, identity.attrDkimDnsTokenValue3],
    ] as const;
    this.records[domain] = Fn.join(
      '; ',
      tokens.map(([name, value]) => `${name} CNAME ${value}`),
    );
    return identity.ref;
  }

  /**
   * SES sends its events to the default bus. A rule takes type, tags and time of them: addresses and subjects reach no
   * queue.
   */
  #report(set: CfnConfigurationSet): void {
    const { partition, region, account } = Stack.of(this);
    const destination = new CfnConfigurationSetEventDestination(this, 'Events', {
      configurationSetName: set.ref,
      eventDestination: {
        enabled: true,
        matchingEventTypes: ['DELIVERY', 'BOUNCE', 'COMPLAINT'],
        eventBridgeDestination: { eventBusArn: `arn:${partition}:events:${region}:${account}:event-bus/default` },
      },
    });
    const { queue, deadLetters } = this.queues.feedback;
    for (const { id, detailType, part, detail = {}, says } of reports) {
      const rule = new Rule(this, id, {
        description: 'Tells the onboarding service what became of a message.',
        eventPattern: {
          source: ['aws.ses'],
          detailType: [detailType],
          detail: { ...detail, mail: { tags: { 'ses:configuration-set': [set.ref] } } },
        },
      });
      const tag = (name: string) => EventField.fromPath(`$.detail.mail.tags.${name}[0]`);
      const tags = { message: tag('message'), address: tag('address'), team: tag('team') };
      const at = EventField.fromPath(`$.detail.${part}.timestamp`);
      rule.addTarget(
        new SqsQueue(queue, {
          message: RuleTargetInput.fromObject({ ...says, tags, at }),
          deadLetterQueue: deadLetters,
        }),
      );
      rule.node.addDependency(destination);
    }
  }
}
