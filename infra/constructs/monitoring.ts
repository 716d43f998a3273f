import { Duration, Stack } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import type { DataTable } from './data-table.ts';

/** An alarm. It goes off when the metric is at or above the threshold (for a heartbeat: below it) in one period. */
type Watch = { metric: IMetric; threshold: number; description: string; heartbeat?: boolean };

const period = Duration.minutes(5);
const sum = { statistic: 'Sum', period };
const maximum = { statistic: 'Maximum', period };

/** The alarms and the topic that they are sent to. The description of each alarm says what to look at. */
export class Monitoring extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmEmails }: Pick<Settings, 'alarmEmails'>) {
    super(scope, id);
    this.topic = new Topic(this, 'Alarms', { enforceSSL: true });
    // A custom topic policy replaces the default one, which allows alarms to publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    for (const endpoint of alarmEmails) {
      new CfnSubscription(this, `Email-${endpoint}`, { topicArn: this.topic.topicArn, protocol: 'email', endpoint });
    }
  }

  watchApi(stage: IHttpStage): void {
    this.#watch('ApiServerErrors', {
      metric: stage.metricServerError(sum),
      threshold: 5,
      description:
        'Requests ended in 5xx. Search the function logs for "request failed". Crashes are only in the access log.',
    });
    this.#watch('Throttles', {
      metric: LambdaFunction.metricAllThrottles(sum),
      threshold: 1,
      description:
        'A function in this account and region, possibly of another stack, was throttled: no concurrency was free.',
    });
  }

  watchTable(table: DataTable): void {
    this.#watch('TableThrottles', {
      metric: new MathExpression({
        expression: 'reads + writes',
        usingMetrics: {
          reads: table.metric('ReadThrottleEvents', sum),
          writes: table.metric('WriteThrottleEvents', sum),
        },
        period,
      }),
      threshold: 100,
      description:
        'The table throttles more requests than retries absorb. Look for a hot partition or an account limit.',
    });
  }

  watchImports(deadLetters: IQueue): void {
    this.#watch('DeadLetters', {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible(maximum),
      threshold: 1,
      description: 'The imports of a team keep failing. The log of import-worker says why. No data is lost.',
    });
  }

  watchDropBox({ notices, files }: { notices: IQueue; files: IQueue }): void {
    this.#watch('LostNotices', {
      metric: notices.metricApproximateNumberOfMessagesVisible(maximum),
      threshold: 1,
      description:
        'Files arrived in the drop box but were not queued for reading. The log of drop-box-notice says why.',
    });
    this.#watch('LostFiles', {
      metric: files.metricApproximateNumberOfMessagesVisible(maximum),
      threshold: 1,
      description:
        'The service stopped reading files in the drop box and wrote no report. The log of drop-box-reader says why.',
    });
  }

  /** For background functions: their errors appear in no response. */
  watchFunction(id: string, lambda: LambdaFunction): void {
    this.#watch(`Errors-${id}`, {
      metric: lambda.metricErrors(sum),
      threshold: 1,
      description: `${id} failed or timed out. Its log has the error, or the invocation that timed out.`,
    });
  }

  /** For scheduled functions: if one does not run, nothing else reports it. */
  watchHeartbeat(id: string, lambda: LambdaFunction): void {
    this.#watch(`Silent-${id}`, {
      metric: lambda.metricInvocations(sum),
      threshold: 1,
      description: `${id} has not run for five minutes.`,
      heartbeat: true,
    });
  }

  /** For a number in the log of a function that must be zero. */
  watchLog(id: string, field: string, logGroup: ILogGroup): void {
    const filter = new MetricFilter(this, `Metric-${field}`, {
      logGroup,
      filterPattern: FilterPattern.numberValue(`$.${field}`, '>', 0),
      metricNamespace: Stack.of(this).stackName,
      metricName: field,
      metricValue: `$.${field}`,
    });
    this.#watch(field, {
      metric: filter.metric(maximum),
      threshold: 1,
      description: `${id} logged a value of ${field} above zero.`,
    });
  }

  #watch(id: string, { metric, threshold, description, heartbeat = false }: Watch): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      alarmDescription: description,
      evaluationPeriods: 1,
      comparisonOperator: heartbeat
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: heartbeat ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
