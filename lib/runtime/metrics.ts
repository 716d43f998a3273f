import { type MetricFields, type MetricName, metricUnits } from '../metrics.ts';

/**
 * CloudWatch embedded metric format: metrics are fields of a log line that is written anyway, and `_aws` says which
 * fields they are. The logger writes the field `service`, which is a dimension of all. The first line of a function
 * instance also counts its cold start.
 * @param namespace of the metrics. Without it, as in the local service, the line has only the values.
 */
export function metricFieldsFor(namespace: string | undefined, now: () => number): MetricFields {
  let isColdStart = true;
  return (sets, values) => {
    const counted = isColdStart ? { ...values, cold_starts: 1 } : values;
    isColdStart = false;
    if (namespace === undefined) return counted;
    const Dimensions = sets.map((set) => ['service', ...Object.keys(set)]);
    const Metrics = Object.keys(counted).map((Name) => ({ Name, Unit: metricUnits[Name as MetricName] }));
    const _aws = { Timestamp: now(), CloudWatchMetrics: [{ Namespace: namespace, Dimensions, Metrics }] };
    return Object.assign({ _aws }, ...sets, counted);
  };
}
