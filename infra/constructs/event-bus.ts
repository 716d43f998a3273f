import { Duration } from 'aws-cdk-lib';
import { EventBus as Bus } from 'aws-cdk-lib/aws-events';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { allow } from './permissions.ts';

export type EventBusProps = { bus: NonNullable<Settings['events']['bus']>; retention: Settings['retention'] };

/** The bus that gets every event: an existing one, or one that the stack makes with an archive. */
export class EventBus extends Construct {
  readonly arn: string;
  /** For the function that publishes events. */
  readonly statement: PolicyStatement;

  constructor(scope: Construct, id: string, { bus, retention }: EventBusProps) {
    super(scope, id);
    this.arn = bus === 'made' ? this.#make(retention) : bus;
    this.statement = allow('PutEvents', ['events:PutEvents'], this.arn);
  }

  /** Events contain only ids, so the keys of AWS encrypt the bus and its archive in every stage. */
  #make({ events }: Settings['retention']): string {
    const made = new Bus(this, 'Bus', { description: 'Events of the onboarding service.' });
    made.archive('Archive', { eventPattern: { source: ['onboarding'] }, retention: Duration.days(events) });
    return made.eventBusArn;
  }
}
