import { describe, expect, test } from 'vitest';
import { metricFieldsFor } from '../../../lib/runtime/metrics.ts';

const at = Date.UTC(2026, 0, 1);

describe('the fields of metrics', () => {
  test('declare the values of the line in the embedded metric format, in groups', () => {
    const fields = metricFieldsFor('Onboarding', () => at);
    fields([], {});
    const { _aws, ...values } = fields([{ route: 'get-contact' }, { code: 'not_found' }], { latency: 12, errors: 1 });
    expect(values).toEqual({ route: 'get-contact', code: 'not_found', latency: 12, errors: 1 });
    const { Timestamp, CloudWatchMetrics } = _aws as { Timestamp: number; CloudWatchMetrics: unknown };
    expect(Timestamp).toBe(at);
    expect(CloudWatchMetrics).toEqual([
      {
        Namespace: 'Onboarding',
        Dimensions: [
          ['service', 'route'],
          ['service', 'code'],
        ],
        Metrics: [
          { Name: 'latency', Unit: 'Milliseconds' },
          { Name: 'errors', Unit: 'Count' },
        ],
      },
    ]);
  });

  test('of one line do not appear in the next', () => {
    const fields = metricFieldsFor('Onboarding', () => at);
    fields([{ route: 'a' }, { code: 'not_found' }], { latency: 1, errors: 1 });
    const { _aws, ...values } = fields([{ route: 'b' }], { latency: 2 });
    expect(values).toEqual({ route: 'b', latency: 2 });
    expect(JSON.stringify(_aws)).not.toMatch(/errors|code/);
  });

  test('count the cold start of the function instance once', () => {
    const fields = metricFieldsFor('Onboarding', () => at);
    expect(fields([{ route: 'a' }], { latency: 1 })).toMatchObject({ cold_starts: 1 });
    expect(fields([{ route: 'a' }], { latency: 1 })).not.toHaveProperty('cold_starts');
  });

  test('are only the values without a namespace, so that the lines of the local service stay short', () => {
    const fields = metricFieldsFor(undefined, () => at);
    fields([], {});
    expect(fields([{ route: 'a' }], { latency: 1 })).toEqual({ latency: 1 });
  });
});
