import { Duration, Validations } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tableStream } from '../../lib/background.ts';
import { publishedSortKeys } from '../../lib/store/table/item-kinds.ts';
import { allow, type Deployment } from './deployment.ts';
import { queueDefaults } from './queues.ts';

const whyNoDeadLetters =
  'The queue is itself the last destination: it has the messages about changes that could not be published. No ' +
  'function receives them. An operator replays them with a command.';

/** The stream of the table as the trigger of a function, and the on-failure queue of the trigger. */
export class TableStream extends Construct {
  readonly failures: Queue;
  /** What the event source mapping does with the role of the function. */
  readonly statements: PolicyStatement[];
  readonly #arn: string;

  readonly #isClosed: boolean;

  constructor(scope: Construct, id: string, { settings: { closed }, key }: Deployment, streamArn: string) {
    super(scope, id);
    this.#arn = streamArn;
    this.#isClosed = closed;
    this.failures = new Queue(this, 'Failures', {
      ...queueDefaults(key),
      retentionPeriod: Duration.seconds(tableStream.failureRetention),
    });
    Validations.of(this.failures).acknowledge({ id: 'AwsSolutions-SQS3', reason: whyNoDeadLetters });
    const reading = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const ofStream = reading.map((action) => `dynamodb:${action}`);
    this.statements = [
      allow('ReadStream', ofStream, streamArn),
      allow('SendFailures', ['sqs:SendMessage'], this.failures.queueArn),
    ];
  }

  invoke(target: IFunction, { batchSize, windowSeconds }: { batchSize: number; windowSeconds: number }): void {
    const destination = this.failures.queueArn;
    new EventSourceMapping(this, 'Source', {
      target,
      eventSourceArn: this.#arn,
      enabled: !this.#isClosed,
      // The first deployment also publishes what is written before the mapping exists.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: Duration.seconds(windowSeconds),
      filters: [FilterCriteria.filter({ dynamodb: { Keys: { sk: { S: publishedSortKeys } } } })],
      // More would keep only the order of the changes of one item, and the events of a contact come from several items.
      parallelizationFactor: 1,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // -1: without a limit.
      retryAttempts: -1,
      maxRecordAge: Duration.seconds(tableStream.maxRecordAge),
      // `SqsDlq` of the CDK would add a second policy to the role.
      onFailure: { bind: () => ({ destination }) },
    });
  }
}
