import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** `page`: customers notice it, or soon will; someone must act now. `notify`: look at it on the next working day. */
export type Severity = 'page' | 'notify';

export type AlarmTopicsProps = {
  /** Email addresses that get all alarms. Each must confirm once. Other receivers subscribe to one of the topics. */
  alarmEmails?: readonly string[];
  /** Encrypts the topics. Its policy must allow the services that publish to use it. */
  key?: IKey | undefined;
};

/** One topic for each severity. */
export class AlarmTopics extends Construct {
  readonly topics: Record<Severity, Topic>;

  constructor(scope: Construct, id: string, { alarmEmails = [], key }: AlarmTopicsProps) {
    super(scope, id);
    const topic = (severity: string) =>
      new Topic(this, severity, { enforceSSL: true, ...(key ? { masterKey: key } : {}) });
    this.topics = { page: topic('Page'), notify: topic('Notify') };
    for (const [severity, { topicArn }] of Object.entries(this.topics)) {
      this.allow(severity as Severity, 'AlarmsOfThisAccount', 'cloudwatch.amazonaws.com');
      for (const endpoint of alarmEmails) {
        new CfnSubscription(this, `${severity}-${endpoint}`, { topicArn, protocol: 'email', endpoint });
      }
    }
  }

  /**
   * Allows a service to publish. A custom topic policy replaces the default one, which allows everything in the account to
   * publish.
   */
  allow(severity: Severity, sid: string, service: string): void {
    const topic = this.topics[severity];
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid,
        principals: [new ServicePrincipal(service)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
  }
}
