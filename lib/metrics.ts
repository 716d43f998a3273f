/**
 * The metrics that functions write into their log lines, as data. The functions, the alarms and the dashboard are built
 * from this list. CloudWatch charges each combination of a metric and its dimensions that gets data in an hour, so
 * teams are no dimension: `team_id` is a field of the log line. This file imports nothing.
 */

/** The value of the dimension `service`, and the field `service` of every log line. */
export const serviceName = 'onboarding';

/** The unit of each metric. The statistic `SampleCount` of `latency` is the number of requests. */
export const metricUnits = {
  /** Requests: by route, and those that failed also by error code. */
  latency: 'Milliseconds',
  errors: 'Count',
  /** Requests that this service itself refused with 429. API Gateway's throttle is only in its access log. */
  throttles: 'Count',
  /** The first log line with metrics of a function instance. */
  cold_starts: 'Count',
  /** The import worker: messages received, chunks closed, and records by their outcome. */
  wakes: 'Count',
  chunks_completed: 'Count',
  chunks_given_up: 'Count',
  records_applied: 'Count',
  records_unchanged: 'Count',
  records_superseded: 'Count',
  records_rejected: 'Count',
  /** The sweeper, every minute, for all teams together. Late and woken teams are counted by lanes. */
  chunks_failed: 'Count',
  teams_late: 'Count',
  teams_woken: 'Count',
  oldest_open_chunk: 'Seconds',
  /** Expected files that had not arrived by their hour. */
  files_missing: 'Count',
  /** Expected files whose last file failed or is not as expected. */
  files_unexpected: 'Count',
  /** The reader of the drop box: files whose report says `completed`, and files whose report says something else. */
  files_completed: 'Count',
  files_failed: 'Count',
  /** The share of a dropped file's rows that were rejected, for each file with rows. */
  rows_rejected_percent: 'Percent',
  /** The sweeper: webhooks whose receiver has received nothing for an hour. */
  webhooks_failing: 'Count',
  /** The oldest event that an ordinary webhook has not tried to send. */
  oldest_webhook_event: 'Seconds',
  /** The sweeper: templates whose targeting has stopped, because it has started as many journeys as it may. */
  targeting_stopped: 'Count',
  /** How long the contact that waits longest has waited to be judged by targeting. */
  oldest_mark: 'Seconds',
  /** The targeting worker: contacts and rules on which the code failed. */
  targeting_passed_over: 'Count',
  /** The sweeper: how long the lane of messages that waits longest has sent nothing. */
  oldest_message: 'Seconds',
  /** The function that sends messages: messages on which the code failed. */
  messages_passed_over: 'Count',
  /** Teams whose messages the service itself has paused, for bounces or complaints. */
  messages_stopped: 'Count',
  /** Teams to which nothing is sent, because their list of addresses was made with another secret. */
  lists_mismatched: 'Count',
  /** The import worker: contacts, or journeys, on which the code failed and which wait no longer to be completed and counted. */
  contacts_passed_over: 'Count',
  /** The publisher of events and the import worker: groups of counters of a journey that the table does not take. */
  counts_set_aside: 'Count',
} as const;

export type MetricName = keyof typeof metricUnits;

/** Besides `service`: the function that a request or an event called, or the error code of a failed request. */
export type MetricDimension = 'route' | 'code' | 'function';

export type MetricValues = Partial<Record<MetricName, number>>;

/** One for each group in which the values are counted, for example all requests to a route. */
export type DimensionSet = Partial<Record<MetricDimension, string>>;

/** Returns the fields that make a log line count as metrics. */
export type MetricFields = (sets: readonly DimensionSet[], values: MetricValues) => Record<string, unknown>;
