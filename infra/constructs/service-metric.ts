import { Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type DimensionSet, type MetricName, serviceName } from '../../lib/metrics.ts';

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
