import { Metrics } from '@aws-lambda-powertools/metrics';
import { type MetricFields, type MetricName, metricUnits, serviceName } from '../metrics.ts';

/**
 * CloudWatch embedded metric format: metrics are fields of a log line that is written anyway, and `_aws` says which
 * fields they are. The first line of a function instance also counts its cold start.
 * @param namespace of the metrics. Without it, as in the local service, the line has only the values.
 */
export function metricFieldsFor(namespace: string | undefined): MetricFields {
  const metrics = namespace === undefined ? undefined : new Metrics({ namespace, serviceName });
  let isColdStart = true;
  return (sets, values) => {
    const counted = isColdStart ? { ...values, cold_starts: 1 } : values;
    isColdStart = false;
    if (!metrics) return counted;
    for (const set of sets) metrics.addDimensions(set);
    for (const [name, value] of Object.entries(counted))
      metrics.addMetric(name, metricUnits[name as MetricName], value);
    // The logger writes `service`, with the same value.
    const { service: _, ...fields } = metrics.serializeMetrics();
    metrics.clearMetrics();
    metrics.clearDimensions();
    return fields;
  };
}
