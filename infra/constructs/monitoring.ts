import { Duration, NestedStack, Stack } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  type BackgroundFunction,
  backgroundFunctions,
  type MessageQueueName,
  messageFunctions,
  type QueueName,
} from '../../lib/background.ts';
import { type DimensionSet, type MetricName, serviceName } from '../../lib/metrics.ts';
import { originCheck } from '../../lib/routes.ts';
import { type IndexName, table } from '../../lib/store/table/table.ts';
import { budgetName } from '../settings.ts';
import type { DataTable } from './data-table.ts';
import type { Deployment } from './deployment.ts';
import type { QueuePair } from './queues.ts';
import type { ServiceFunction } from './service-function.ts';

/** `page`: customers notice it, or soon will; someone must act now. `notify`: look at it on the next working day. */
export type Severity = 'page' | 'notify';

/** What is watched. */
export type Watched = {
  stage: IHttpStage;
  accessLogs: ILogGroup;
  table: DataTable;
  queues: Record<QueueName, QueuePair>;
  /** `undefined` without the setting `messages`. */
  ofMessages?: Record<MessageQueueName, QueuePair> | undefined;
  eventFailures: IQueue;
  /** By their ids. */
  functions: ReadonlyMap<string, ServiceFunction>;
};
type WatchedFunction = Pick<BackgroundFunction, 'id' | 'alarmOn' | 'canWait'> & {
  trigger?: BackgroundFunction<QueueName | MessageQueueName>['trigger'];
};

/** An alarm. It goes off when the metric is at or above the threshold. */
type Watch = {
  severity: Severity;
  metric: IMetric;
  /** 1, if it is not given. */
  threshold?: number;
  /** The first thing to know. The runbook has the rest, in a section with the name of the alarm. */
  description: string;
  /** The section of the runbook, if it does not have the name of the alarm. */
  section?: string;
  /** In so many of so many periods, instead of in one. */
  periods?: readonly [many: number, of: number];
  /** Goes off if there are fewer, or no data, in as many periods in a row. */
  silentFor?: number;
};

const minute = Duration.minutes(1);
const period = Duration.minutes(5);
const sum = { statistic: 'Sum', period };
const sumOfMinute = { statistic: 'Sum', period: minute };
const maximum = { statistic: 'Maximum', period };
/** Also when a metric has no data, because its service writes it only when there is something to count. */
export const sumOfAll = 'SUM(FILL(METRICS(), 0))';
const indexNames = Object.keys(table.indexes) as IndexName[];
const page = (metric: IMetric, description: string, more: Partial<Watch> = {}): Watch => ({
  severity: 'page',
  metric,
  description,
  ...more,
});
const notify = (metric: IMetric, description: string, more: Partial<Watch> = {}): Watch => ({
  severity: 'notify',
  metric,
  description,
  ...more,
});
const messagesIn = (queue: IQueue) => queue.metricApproximateNumberOfMessagesVisible(maximum);
/** More than all retries of a message that fails, so that a disabled trigger is noticed. */
const late = Duration.minutes(15).toSeconds();
const oldestIn = (queue: IQueue) => queue.metricApproximateAgeOfOldestMessage(maximum);
/** Messages of which nobody receives any. In a FIFO queue, messages can wait for each other for a long time. */
const untouchedIn = (queue: IQueue) =>
  new MathExpression({
    expression: 'IF(FILL(received, 0) + FILL(hidden, 0) == 0, waiting, 0)',
    usingMetrics: {
      waiting: messagesIn(queue),
      received: queue.metricNumberOfMessagesReceived(sum),
      hidden: queue.metricApproximateNumberOfMessagesNotVisible(maximum),
    },
    period,
  });

/** Each stack has a namespace of its own, so that two services in one account do not share metrics. */
export const metricsNamespace = (scope: Construct): string => {
  const stack = Stack.of(scope);
  return (stack.nestedStackParent ?? stack).stackName;
};

/** A metric that functions write into their log lines. */
export const serviceMetric = (
  scope: Construct,
  metricName: MetricName,
  dimensions: DimensionSet,
  options: MetricOptions,
): Metric =>
  new Metric({
    namespace: metricsNamespace(scope),
    metricName,
    dimensionsMap: { service: serviceName, ...dimensions },
    ...options,
  });

/** Five errors or more, as a percentage of the requests. */
const errorRate = (stage: IHttpStage) =>
  new MathExpression({
    expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
    usingMetrics: { requests: stage.metricCount(sumOfMinute), errors: stage.metricServerError(sumOfMinute) },
    period: minute,
  });

/** The alarms, in a nested stack because a stack has at most 500 resources, and one topic for each severity. */
export class Monitoring extends Construct {
  readonly topics: Record<Severity, Topic>;
  readonly alarms: Record<Severity, Alarm[]> = { page: [], notify: [] };
  /** For what only watches: it holds no data, and nothing but deployments depends on it. */
  readonly nested: NestedStack;

  readonly #isClosed: boolean;

  constructor(scope: Construct, id: string, { settings: { alarmEmails, monthlyBudget, closed }, key }: Deployment) {
    super(scope, id);
    this.#isClosed = closed;
    const receivers = new Construct(this, 'Alarms');
    const topic = (name: string) =>
      new Topic(receivers, name, { enforceSSL: true, ...(key ? { masterKey: key } : {}) });
    this.topics = { page: topic('Page'), notify: topic('Notify') };
    for (const severity of ['page', 'notify'] as const) {
      this.#allow(severity, 'AlarmsOfThisAccount', 'cloudwatch.amazonaws.com', this.#ofThisAccount);
      const { topicArn } = this.topics[severity];
      // Each address must confirm once. Other receivers subscribe to one of the topics.
      for (const endpoint of alarmEmails) {
        new CfnSubscription(receivers, `${severity}-${endpoint}`, { topicArn, protocol: 'email', endpoint });
      }
    }
    this.nested = new NestedStack(this, 'Nested', {
      description: 'Alarms, dashboard and deployment groups of the onboarding service.',
    });
    if (monthlyBudget !== undefined) this.#watchCost(monthlyBudget);
  }

  /**
   * Reports backups that failed, and the lack of copies: without the opt-in of AWS Backup, there is no job that fails.
   * EventBridge cannot publish if the policy of a topic has a condition for it.
   */
  watchBackups({ failures, copies }: { failures: Rule; copies: Rule }): void {
    this.#allow('notify', 'Events', 'events.amazonaws.com');
    failures.addTarget({ bind: () => ({ arn: this.topics.notify.topicArn }) });
    const ofRule = ({ ruleName: RuleName }: Rule, metricName: string, options: MetricOptions) =>
      new Metric({ namespace: 'AWS/Events', metricName, dimensionsMap: { RuleName }, ...options });
    const copied = ofRule(copies, 'TriggeredRules', { statistic: 'Sum', period: Duration.hours(1) });
    const description = 'No copy of a backup has completed for 26 hours.';
    this.#add('BackupMissing', notify(copied, description, { silentFor: 26 }));
    const unreported = ofRule(failures, 'FailedInvocations', sum);
    this.#add('BackupReportFailed', notify(unreported, 'The report of a failed backup could not be sent.'));
  }

  /** Makes every alarm but those of releases. */
  watch(watched: Watched): void {
    const alarms = {
      ...Object.assign(
        {},
        ...[originCheck, ...backgroundFunctions, ...messageFunctions].map((each) => this.#ofFunction(each, watched)),
      ),
      ...this.#ofRequests(watched),
      ...ofStores(watched),
      ...(watched.ofMessages ? ofMessages(watched.ofMessages) : {}),
    };
    for (const [id, each] of Object.entries<Watch>(alarms)) this.#add(id, each);
  }

  /** An alarm that stops a deployment. The deployment ends by itself, so nobody has to act at once. */
  watchRelease(id: string, watch: Omit<Watch, 'severity'>): Alarm {
    return this.#add(id, { ...watch, severity: 'notify' });
  }

  watchReleases(stage: IHttpStage): Alarm {
    return this.watchRelease('ReleaseServerErrors', {
      metric: errorRate(stage),
      threshold: 0.1,
      description:
        'One request in a thousand or more, and at least five in a minute, ended in 5xx. A deployment that is in ' +
        'progress is rolled back.',
    });
  }

  /** Of a function whose errors appear in no response. */
  #ofFunction({ id, trigger, canWait, alarmOn = {} }: WatchedFunction, watched: Watched): Record<string, Watch> {
    const lambda = watched.functions.get(id)?.lambda;
    if (!lambda) return {};
    const ofMetrics = Object.entries(alarmOn).map(([name, { severity, from = 1 }]): [string, Watch] => {
      const metric = serviceMetric(this, name as MetricName, { function: id }, maximum);
      const description = `${id} reported a value of ${name} of ${from} or more.`;
      return [name, { severity, metric, threshold: from, description }];
    });
    return {
      [`Errors-${id}`]: notify(lambda.metricErrors(sum), `An invocation of ${id} crashed or timed out.`),
      ...Object.fromEntries(ofMetrics),
      ...(trigger && 'everySeconds' in trigger
        ? {
            [`Silent-${id}`]: silent(id, lambda, canWait ? notify : page),
          }
        : {}),
      ...(trigger && 'stream' in trigger ? { [`Silent-${id}`]: silent(id, lambda), ...ofStream(lambda, watched) } : {}),
    };
  }

  #ofRequests({ stage, accessLogs }: Watched): Record<string, Watch> {
    const usingMetrics = {
      requests: stage.metricCount(sumOfMinute),
      p99: stage.metricLatency({ statistic: 'p99', period: minute }),
    };
    const slow = new MathExpression({ expression: 'IF(requests >= 20, p99, 0)', usingMetrics, period: minute });
    return {
      ServerErrorRate: page(
        errorRate(stage),
        'One percent of the requests or more, and at least five in a minute, ended in 5xx.',
        { periods: [2, 3] },
      ),
      SlowResponses: notify(slow, 'One request in a hundred took three seconds or longer.', {
        threshold: 3000,
        periods: [2, 3],
      }),
      ApiServerErrors: notify(stage.metricServerError(sum), 'Five requests or more ended in 5xx within five minutes.', {
        threshold: 5,
      }),
      UnauthorizedRequests: this.#ofStatus('UnauthorizedRequests', '401', accessLogs),
      ThrottledRequests: this.#ofStatus('ThrottledRequests', '429', accessLogs),
      Throttles: notify(
        LambdaFunction.metricAllThrottles(sum),
        'A function in this account and region, possibly of another stack, was throttled: no concurrency was free.',
      ),
    };
  }

  /** The access log also has the requests that API Gateway itself rejected. It writes the status as text. */
  #ofStatus(id: string, status: string, logGroup: ILogGroup): Watch {
    const filter = new MetricFilter(this.nested, `${id}Filter`, {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.status', '=', status),
      metricNamespace: metricsNamespace(this),
      metricName: `status_${status}`,
      metricValue: '1',
    });
    const description = `A hundred requests or more got a ${status} within five minutes.`;
    return notify(filter.metric(sum), description, { threshold: 100 });
  }

  #add(id: string, watch: Watch): Alarm {
    const { severity, metric, threshold = 1, description, section = id, silentFor } = watch;
    const [many, of] = watch.periods ?? [silentFor ?? 1, silentFor ?? 1];
    const alarm = new Alarm(this.nested, id, {
      alarmName: `${Stack.of(this).stackName}-${id}`,
      metric,
      threshold,
      alarmDescription: `[${severity}] ${description} See docs/runbook.md#${section.toLowerCase()}`,
      evaluationPeriods: of,
      datapointsToAlarm: many,
      comparisonOperator: silentFor
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: silentFor ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      // A closed service is silent and lets messages wait.
      actionsEnabled: !this.#isClosed,
    });
    const action = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.alarms[severity].push(alarm);
    return alarm;
  }

  /** Lets a service publish. A custom topic policy replaces the default one, which lets everything in the account. */
  #allow(severity: Severity, sid: string, service: string, conditions: Record<string, object> = {}): void {
    const topic = this.topics[severity];
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid,
        principals: [new ServicePrincipal(service)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions,
      }),
    );
  }

  get #ofThisAccount() {
    return { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
  }

  /** A budget, because the billing metric of CloudWatch exists only in us-east-1 and must be switched on by hand. */
  #watchCost(dollars: number): void {
    this.#allow('notify', 'BudgetsOfThisAccount', 'budgets.amazonaws.com', this.#ofThisAccount);
    const subscribers = [{ subscriptionType: 'SNS', address: this.topics.notify.topicArn }];
    const notification = { comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' };
    new CfnBudget(this, 'MonthlyCost', {
      budget: {
        budgetName: budgetName(Stack.of(this).stackName, Stack.of(this).region),
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [
        { notification: { ...notification, notificationType: 'ACTUAL', threshold: 80 }, subscribers },
        { notification: { ...notification, notificationType: 'FORECASTED', threshold: 100 }, subscribers },
      ],
    });
  }
}

/** Of a function that runs every minute. If it does not, nothing else reports it. */
const silent = (id: string, lambda: LambdaFunction, as = page): Watch =>
  as(lambda.metricInvocations(sum), `${id} has not run for ten minutes.`, { silentFor: 2 });

/** A record of the stream exists for 24 hours. What is not published by then is lost. */
const ofStream = (publisher: LambdaFunction, { eventFailures }: Watched): Record<string, Watch> => ({
  EventsFailed: page(
    messagesIn(eventFailures),
    'Events and completions are missing, and can be recovered for 24 hours.',
  ),
  EventsLate: page(
    publisher.metric('IteratorAge', maximum),
    'Changes of the table wait for ten minutes or longer until their events are published.',
    { threshold: Duration.minutes(10).toMilliseconds() },
  ),
});

const ofMessages = ({ messages, feedback }: Record<MessageQueueName, QueuePair>): Record<string, Watch> => ({
  MessageDeadLetters: notify(messagesIn(messages.deadLetters), 'Sending the messages of a team keeps failing.'),
  FeedbackDeadLetters: notify(
    messagesIn(feedback.deadLetters),
    'What Amazon SES reported of messages was not taken: somebody who complained may get more of them.',
  ),
  FeedbackLate: notify(oldestIn(feedback.queue), 'What Amazon SES reported of messages waits for 15 minutes.', {
    threshold: late,
  }),
});

/** Of the table and of the dead-letter queues, which are empty as long as their functions work. */
const ofStores = ({ table: data, queues }: Watched): Record<string, Watch> => ({
  TableThrottles: notify(
    new MathExpression({
      expression: sumOfAll,
      // An alarm has ten metrics at most. Reads of the indexes for lookups are spread over as many keys as contacts.
      usingMetrics: {
        reads: data.metric('ReadThrottleEvents', sum),
        writes: data.metric('WriteThrottleEvents', sum),
        directory_reads: data.metric('ReadThrottleEvents', sum, 'directory'),
        ...Object.fromEntries(
          indexNames.map((index) => [`${index}_writes`, data.metric('WriteThrottleEvents', sum, index)]),
        ),
      },
      period,
    }),
    'The table or one of its indexes throttles more requests than retries absorb.',
    { threshold: 100 },
  ),
  DeadLetters: notify(messagesIn(queues.imports.deadLetters), 'The imports of a team keep failing. No data is lost.'),
  WebhookDeadLetters: notify(
    messagesIn(queues.webhooks.deadLetters),
    'The delivery of a webhook keeps failing in the service. No event is lost.',
  ),
  TargetingDeadLetters: notify(
    messagesIn(queues.targeting.deadLetters),
    'The targeting of a team keeps failing. Nobody who waits is forgotten.',
  ),
  NoticesLate: page(
    oldestIn(queues.notices.queue),
    'Files arrived in the drop box and nobody was told for 15 minutes.',
    {
      threshold: late,
    },
  ),
  FilesUntouched: page(untouchedIn(queues.drops.queue), 'Dropped files wait, and none was read for 15 minutes.', {
    periods: [3, 3],
  }),
  LostNotices: page(
    messagesIn(queues.notices.deadLetters),
    'Files arrived in the drop box but were not queued for reading.',
  ),
  LostFiles: page(
    messagesIn(queues.drops.deadLetters),
    'The service stopped reading files in the drop box and wrote no report.',
  ),
});
