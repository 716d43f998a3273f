import { Duration } from 'aws-cdk-lib';
import { type Alarm, type CfnAlarm, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { metricsNamespace } from './service-metric.ts';

/** Something that must arrive every day. An alarm goes off if it has not been completed by its hour. */
export type ExpectedArrival = {
  /** Letters, digits and hyphens. The alarm is called `Missing-<name>`. */
  name: string;
  /** Hour of the day in UTC, 0 to 23. The day of the arrival ends at this hour. */
  byUtcHour: number;
  /**
   * Dropped files of this kind, or chunks of batches however they were sent. Without it, any dropped file.
   */
  what?: 'accounts' | 'contacts' | 'batches' | undefined;
  /** Only what this team sends. Without it, what any team sends. */
  teamId?: string | undefined;
};

/** The logs that say that a file or a chunk was completed. */
export type ArrivalLogs = { files: ILogGroup; batches: ILogGroup };

/** Counts the arrivals of a day. A metric of each team would cost more than a filter for the few that matter. */
export function arrivalMetric(scope: Construct, { name, what, teamId }: ExpectedArrival, logs: ArrivalLogs): IMetric {
  const counts = what === 'batches' ? '$.chunks_completed' : '$.files_completed';
  const filter = new MetricFilter(scope, `Arrival-${name}`, {
    logGroup: what === 'batches' ? logs.batches : logs.files,
    filterPattern: FilterPattern.all(
      FilterPattern.numberValue(counts, '>=', 1),
      ...(what === 'accounts' || what === 'contacts' ? [FilterPattern.stringValue('$.type', '=', what)] : []),
      ...(teamId === undefined ? [] : [FilterPattern.stringValue('$.team_id', '=', teamId)]),
    ),
    metricNamespace: metricsNamespace(scope),
    metricName: `arrived-${name}`,
    metricValue: '1',
  });
  return filter.metric({ statistic: Stats.SUM, period: Duration.days(1) });
}

/** Makes the alarm evaluate whole days that end at this hour, instead of the last 24 hours. */
export function alignDay(alarm: Alarm, byUtcHour: number): void {
  // A day ends at midnight of the time zone: at 06:00 UTC, it is midnight at UTC-06:00.
  const east = byUtcHour > 12;
  const hours = String(east ? 24 - byUtcHour : byUtcHour).padStart(2, '0');
  const timezone = byUtcHour === 0 ? 'UTC' : `${east ? '+' : '-'}${hours}:00`;
  (alarm.node.defaultChild as CfnAlarm).evaluationWindow = {
    wallClockWindow: { timezone },
  };
}
