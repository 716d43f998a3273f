import { Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryWidget,
  MathExpression,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type MetricName, serviceName } from '../../lib/metrics.ts';
import { metricsNamespace, type Severity, serviceMetric, type Watched } from './monitoring.ts';
import { groupsOf } from './releases.ts';
import type { ServiceFunction } from './service-function.ts';

export type OperationsDashboardProps = Watched & { alarms: Record<Severity, Alarm[]> };

/** What CloudWatch can query at once. */
const logsPerWidget = 50;
const period = Duration.minutes(5);
const sum = { statistic: 'Sum', period };
const maximum = { statistic: 'Maximum', period };

/** Two questions, answered from top to bottom: is it healthy, and what became of last night's file? */
export class OperationsDashboard extends Construct {
  readonly #props: OperationsDashboardProps;

  constructor(scope: Construct, id: string, props: OperationsDashboardProps) {
    super(scope, id);
    this.#props = props;
    new Dashboard(this, 'Dashboard', {
      // Dashboards have no region.
      dashboardName: `${metricsNamespace(this)}-${Stack.of(this).region}`,
      defaultInterval: Duration.hours(24),
      widgets: [
        [heading('Is it healthy? Each alarm has a section in docs/runbook.md.')],
        this.#alarms(),
        this.#requests(),
        [heading("What became of last night's file?")],
        this.#files(),
        this.#imports(),
        [heading('What it runs on')],
        this.#resources(),
      ],
    });
  }

  #alarms(): IWidget[] {
    const { page, notify } = this.#props.alarms;
    return [
      new AlarmStatusWidget({ title: 'Act now', alarms: page, width: 12, height: 4 }),
      new AlarmStatusWidget({ title: 'On the next working day', alarms: notify, width: 12, height: 4 }),
    ];
  }

  #requests(): IWidget[] {
    const { stage, functions } = this.#props;
    const latency = (statistic: string) => stage.metricLatency({ statistic, period, label: statistic });
    const errors = `SEARCH('{${metricsNamespace(this)},service,code} MetricName="errors" service="${serviceName}"', 'Sum', 300)`;
    return [
      graph('Requests', [
        stage.metricCount({ ...sum, label: 'all' }),
        stage.metricClientError({ ...sum, label: '4xx' }),
        stage.metricServerError({ ...sum, label: '5xx' }),
      ]),
      graph('Milliseconds until the response', [latency('p50'), latency('p90'), latency('p99')]),
      graph('Errors by code', [new MathExpression({ expression: errors, label: '', usingMetrics: {}, period })]),
      ...groupsOf([...functions.values()], logsPerWidget).map((group) =>
        logTable('Failures by reason', { width: 6, height: 6 }, group, [
          'filter level = "ERROR"',
          'stats count(*) as failures by message, route, code, reason, cause.error',
        ]),
      ),
    ];
  }

  #files(): IWidget[] {
    const { functions } = this.#props;
    return [
      logTable(
        'Files of the drop box, newest first',
        { width: 16, height: 7 },
        [functions.get('drop-box-reader')!],
        [
          'fields @timestamp, team_id, file_id, type, status, rows.read, rows.rejected, rows.applied, rows.unchanged, rows.superseded, rows.created, failed_chunks',
          'filter ispresent(status) and ispresent(file_id)',
          'sort @timestamp desc',
          'limit 20',
        ],
      ),
      logTable(
        'Records by team',
        { width: 8, height: 7 },
        [functions.get('import-worker')!],
        [
          'filter ispresent(wakes)',
          'stats sum(chunks_completed) as chunks, sum(records_applied) as applied, sum(records_unchanged) as unchanged, sum(records_superseded) as superseded, sum(records_rejected) as rejected by team_id',
        ],
      ),
    ];
  }

  #imports(): IWidget[] {
    const ofWorker = (name: MetricName) => serviceMetric(this, name, { function: 'import-worker' }, sum);
    const ofSweeper = (name: MetricName) => serviceMetric(this, name, { function: 'sweeper' }, maximum);
    const ofReader = (name: MetricName) => serviceMetric(this, name, { function: 'drop-box-reader' }, sum);
    const records = ['records_applied', 'records_unchanged', 'records_superseded', 'records_rejected'] as const;
    const waiting = ['oldest_open_chunk', 'chunks_failed', 'teams_late'] as const;
    return [
      new SingleValueWidget({
        title: 'Now',
        width: 6,
        height: 6,
        metrics: ([...waiting, 'files_missing', 'files_unexpected'] as const).map(ofSweeper),
      }),
      new SingleValueWidget({
        title: 'In the time shown',
        width: 6,
        height: 6,
        setPeriodToTimeRange: true,
        metrics: [ofReader('files_completed'), ofReader('files_failed'), ofWorker('chunks_completed')],
      }),
      graph('Records by outcome', records.map(ofWorker)),
      graph('Seconds that the oldest open chunk waits', [ofSweeper('oldest_open_chunk')]),
    ];
  }

  #resources(): IWidget[] {
    const { queues, eventFailures, table } = this.#props;
    const { imports, notices, drops, webhooks, targeting } = queues;
    const named = Object.entries({ imports, notices, files: drops, webhooks, targeting });
    const messages = (queue: IQueue, label: string) =>
      queue.metricApproximateNumberOfMessagesVisible({ ...maximum, label });
    const coldStarts = `SEARCH('{${metricsNamespace(this)},service,route} MetricName="cold_starts"', 'Sum', 300)`;
    return [
      graph('Messages in the queues', [
        ...named.map(([name, { queue }]) => messages(queue, name)),
        ...named.map(([name, { deadLetters }]) => messages(deadLetters, `${name} (dead letters)`)),
        messages(eventFailures, 'events (dead letters)'),
      ]),
      graph('Functions of the account', [
        LambdaFunction.metricAllConcurrentExecutions({ ...maximum, label: 'concurrent executions' }),
        LambdaFunction.metricAllThrottles({ ...sum, label: 'throttles' }),
      ]),
      graph('Capacity units and throttles of the table', [
        table.metric('ConsumedReadCapacityUnits', { ...sum, label: 'reads' }),
        table.metric('ConsumedWriteCapacityUnits', { ...sum, label: 'writes' }),
        table.metric('ReadThrottleEvents', { ...sum, label: 'throttled reads' }),
        table.metric('WriteThrottleEvents', { ...sum, label: 'throttled writes' }),
      ]),
      graph('Cold starts', [
        new MathExpression({ expression: `SUM(${coldStarts})`, label: 'cold starts', usingMetrics: {}, period }),
      ]),
    ];
  }
}

const heading = (text: string): IWidget => new TextWidget({ markdown: `## ${text}`, width: 24, height: 1 });

const graph = (title: string, left: IMetric[]): IWidget => new GraphWidget({ title, left, width: 6, height: 6 });

function logTable(
  title: string,
  size: { width: number; height: number },
  functions: readonly ServiceFunction[],
  queryLines: string[],
): IWidget {
  const logGroupNames = functions.map(({ logGroup }) => logGroup.logGroupName);
  return new LogQueryWidget({ title, ...size, logGroupNames, queryLines });
}
