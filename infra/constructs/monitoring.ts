import { Duration, NestedStack, Stack } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueName } from '../../lib/background.ts';
import type { MetricName } from '../../lib/metrics.ts';
import { type IndexName, table } from '../../lib/store/table.ts';
import { AlarmTopics, type AlarmTopicsProps, type Severity } from './alarm-topics.ts';
import type { DataTable } from './data-table.ts';
import type { QueuePair } from './queues.ts';
import { metricsNamespace, serviceMetric } from './service-metric.ts';

export type MonitoringProps = AlarmTopicsProps & {
  /** US dollars that the account may cost in a month. Without it, no budget is created. */
  monthlyBudget?: number | undefined;
};

/** An alarm. It goes off when the metric is at or above the threshold. */
type Watch = {
  metric: IMetric;
  threshold: number;
  severity: Severity;
  /** The first thing to know. The runbook has the rest, in a section with the name of the alarm. */
  description: string;
  /** The section of the runbook, if it does not have the name of the alarm. */
  section?: string;
  /** In two of three periods instead of in one. */
  twoOfThree?: boolean;
  /** Below the threshold, or without any data. */
  isHeartbeat?: boolean;
};

const minute = Duration.minutes(1);
const period = Duration.minutes(5);
const sum = { statistic: 'Sum', period };
const maximum = { statistic: 'Maximum', period };
/** Also when a metric has no data, because its service writes it only when there is something to count. */
export const sumOfAll = 'SUM(FILL(METRICS(), 0))';
const indexNames = Object.keys(table.indexes) as IndexName[];

/** A dead-letter queue is empty as long as its function works. */
const deadLetterAlarms: readonly [id: string, queue: QueueName, severity: Severity, description: string][] = [
  ['DeadLetters', 'imports', 'notify', 'The imports of a team keep failing. No data is lost.'],
  [
    'WebhookDeadLetters',
    'webhooks',
    'notify',
    'The delivery of a webhook keeps failing in the service. No event is lost.',
  ],
  ['LostNotices', 'notices', 'page', 'Files arrived in the drop box but were not queued for reading.'],
  ['LostFiles', 'drops', 'page', 'The service stopped reading files in the drop box and wrote no report.'],
];

/** Five errors or more, as a percentage of the requests. */
const errorRate = (stage: IHttpStage) =>
  new MathExpression({
    expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
    usingMetrics: {
      requests: stage.metricCount({ period: minute, statistic: 'Sum' }),
      errors: stage.metricServerError({ period: minute, statistic: 'Sum' }),
    },
    period: minute,
  });

/** The alarms, in a nested stack because a stack has at most 500 resources, and one topic for each severity. */
export class Monitoring extends Construct {
  readonly topics: Record<Severity, Topic>;
  readonly alarms: Record<Severity, Alarm[]> = { page: [], notify: [] };
  /** For what only watches: it holds no data, and nothing but deployments depends on it. */
  readonly nested: NestedStack;
  readonly #receivers: AlarmTopics;

  constructor(scope: Construct, id: string, { monthlyBudget, ...topics }: MonitoringProps = {}) {
    super(scope, id);
    this.#receivers = new AlarmTopics(this, 'Alarms', topics);
    this.topics = this.#receivers.topics;
    this.nested = new NestedStack(this, 'Nested', {
      description: 'Alarms, dashboard and deployment groups of the onboarding service.',
    });
    if (monthlyBudget !== undefined) {
      this.#receivers.allow('notify', 'BudgetsOfThisAccount', 'budgets.amazonaws.com');
      this.#watchCost(monthlyBudget);
    }
  }

  /** The topic for events of EventBridge, which can wait until the next working day. */
  receiveEvents(): Topic {
    this.#receivers.allow('notify', 'EventsOfThisAccount', 'events.amazonaws.com');
    return this.topics.notify;
  }

  watchApi(stage: IHttpStage, accessLogs: ILogGroup): void {
    const requests = stage.metricCount({ period: minute, statistic: 'Sum' });
    this.#watch('ServerErrorRate', {
      metric: errorRate(stage),
      threshold: 1,
      twoOfThree: true,
      severity: 'page',
      description: 'One percent of the requests or more, and at least five in a minute, ended in 5xx.',
    });
    this.#watch('SlowResponses', {
      metric: new MathExpression({
        expression: 'IF(requests >= 20, p99, 0)',
        usingMetrics: { requests, p99: stage.metricLatency({ period: minute, statistic: 'p99' }) },
        period: minute,
      }),
      threshold: 3000,
      twoOfThree: true,
      severity: 'notify',
      description: 'One request in a hundred took three seconds or longer.',
    });
    this.#watch('ApiServerErrors', {
      metric: stage.metricServerError(sum),
      threshold: 5,
      severity: 'notify',
      description: 'Five requests or more ended in 5xx within five minutes.',
    });
    this.#watchStatus('UnauthorizedRequests', '401', accessLogs);
    this.#watchStatus('ThrottledRequests', '429', accessLogs);
    this.#watch('Throttles', {
      metric: LambdaFunction.metricAllThrottles(sum),
      threshold: 1,
      severity: 'notify',
      description:
        'A function in this account and region, possibly of another stack, was throttled: no concurrency was free.',
    });
  }

  watchTable(data: DataTable): void {
    this.#watch('TableThrottles', {
      metric: new MathExpression({
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
      threshold: 100,
      severity: 'notify',
      description: 'The table or one of its indexes throttles more requests than retries absorb.',
    });
  }

  watchQueues(queues: Record<QueueName, QueuePair>): void {
    for (const [id, queue, severity, description] of deadLetterAlarms) {
      this.#watchQueue(id, queues[queue].deadLetters, severity, description);
    }
  }

  /** A record of the stream exists for 24 hours. What is not published by then is lost. */
  watchStream(publisher: LambdaFunction, failures: IQueue): void {
    const why = 'Events and completions are missing, and can be recovered for 24 hours.';
    this.#watchQueue('EventsFailed', failures, 'page', why);
    this.#watch('EventsLate', {
      metric: publisher.metric('IteratorAge', maximum),
      threshold: Duration.minutes(10).toMilliseconds(),
      severity: 'page',
      description: 'Changes of the table wait for ten minutes or longer until their events are published.',
    });
  }

  /** For background functions: their errors appear in no response. */
  watchFunction(id: string, lambda: LambdaFunction): void {
    this.#watch(`Errors-${id}`, {
      metric: lambda.metricErrors(sum),
      threshold: 1,
      severity: 'notify',
      description: `An invocation of ${id} crashed or timed out.`,
    });
  }

  /** For scheduled functions: if one does not run, nothing else reports it. */
  watchHeartbeat(id: string, lambda: LambdaFunction): void {
    this.#watch(`Silent-${id}`, {
      metric: lambda.metricInvocations(sum),
      threshold: 1,
      isHeartbeat: true,
      severity: 'page',
      description: `${id} has not run for five minutes.`,
    });
  }

  /** For a metric of a background function that must stay below the threshold. */
  watchMetric(id: string, name: MetricName, severity: Severity, threshold = 1): void {
    this.#watch(name, {
      metric: serviceMetric(this, name, { function: id }, maximum),
      threshold,
      severity,
      description: `${id} reported a value of ${name} of ${threshold} or more.`,
    });
  }

  /** The access log also has the requests that API Gateway itself rejected. It writes the status as text. */
  #watchStatus(id: string, status: string, accessLogs: ILogGroup): void {
    const filter = new MetricFilter(this.nested, `${id}Filter`, {
      logGroup: accessLogs,
      filterPattern: FilterPattern.stringValue('$.status', '=', status),
      metricNamespace: metricsNamespace(this),
      metricName: `status_${status}`,
      metricValue: '1',
    });
    this.#watch(id, {
      metric: filter.metric(sum),
      threshold: 100,
      severity: 'notify',
      description: `A hundred requests or more got a ${status} within five minutes.`,
    });
  }

  #watchQueue(id: string, queue: IQueue, severity: Severity, description: string): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible(maximum);
    this.#watch(id, { metric, threshold: 1, severity, description });
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

  /** An alarm that stops a deployment. The deployment ends by itself, so nobody has to act at once. */
  watchRelease(id: string, watch: Omit<Watch, 'severity'>): Alarm {
    return this.#watch(id, { ...watch, severity: 'notify' });
  }

  #watch(id: string, watch: Watch): Alarm {
    const { metric, threshold, severity, description, section = id, twoOfThree = false, isHeartbeat = false } = watch;
    const alarm = new Alarm(this.nested, id, {
      alarmName: `${Stack.of(this).stackName}-${id}`,
      metric,
      threshold,
      alarmDescription: `[${severity}] ${description} See docs/runbook.md#${section.toLowerCase()}`,
      evaluationPeriods: twoOfThree ? 3 : 1,
      datapointsToAlarm: twoOfThree ? 2 : 1,
      comparisonOperator: isHeartbeat
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // A new alarm has no data, and no state to leave. Later, that is a change of its state.
      treatMissingData: isHeartbeat ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    if (isHeartbeat) alarm.addInsufficientDataAction(action);
    this.alarms[severity].push(alarm);
    return alarm;
  }

  /** A budget, because the billing metric of CloudWatch exists only in us-east-1 and must be switched on by hand. */
  #watchCost(dollars: number): void {
    const subscribers = [{ subscriptionType: 'SNS', address: this.topics.notify.topicArn }];
    const notification = { comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' };
    new CfnBudget(this, 'MonthlyCost', {
      budget: {
        budgetName: `${Stack.of(this).stackName}-${Stack.of(this).region}-MonthlyCost`,
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
