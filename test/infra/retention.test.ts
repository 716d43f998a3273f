import { expect, test } from 'vitest';
import { fixedDays, retentionDefaults } from '../../lib/domain/retention.ts';
import { synthesize } from './synthesized.ts';

test('the days of payloads are told to the functions that store them, and all settings to the admin command', () => {
  const { functions, template } = synthesize({ retention: { payloads: 7 } });
  const told = [...functions].flatMap(([id, { properties }]) => {
    const { PAYLOAD_RETENTION_DAYS: days } = properties.Environment.Variables;
    return days === undefined ? [] : [[id, days]];
  });
  expect(told.sort()).toEqual([
    ['create-batch', '7'],
    ['drop-box-reader', '7'],
    ['import-sweeper', '7'],
    ['import-worker', '7'],
  ]);
  const output = template.findOutputs('Retention').Retention?.Value;
  expect(JSON.parse(output)).toEqual({ ...retentionDefaults, payloads: 7 });
});

test('the days of events are told to the functions that use them', () => {
  const { functions } = synthesize({ retention: { events: 7 } });
  const days = functions.get('event-publisher')!.properties.Environment.Variables.EVENT_RETENTION_DAYS;
  expect(days).toBe('7');
});

test('the defaults are those of the stack', () => {
  const of = synthesize().ofType as (type: string) => Resource[];
  const rules = of('AWS::S3::Bucket').flatMap(({ Properties }) => Properties.LifecycleConfiguration?.Rules ?? []);
  const lifecycles = rules.flatMap(
    (rule) => rule.ExpirationInDays ?? rule.NoncurrentVersionExpiration?.NoncurrentDays ?? [],
  );
  const { droppedFiles, deletedImages, bucketAccessLogs, logs, accessLog, backups } = retentionDefaults;
  expect(new Set(lifecycles)).toEqual(new Set([droppedFiles, deletedImages, bucketAccessLogs, fixedDays.work]));
  const groups = of('AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays);
  expect(new Set(groups)).toEqual(new Set([logs, accessLog]));
  expect(JSON.stringify(of('AWS::DynamoDB::GlobalTable'))).toContain(`"RecoveryPeriodInDays":${backups}`);
});

type Resource = { Properties: Properties };
type Properties = {
  RetentionInDays?: number;
  LifecycleConfiguration?: { Rules: Rule[] };
};
type Rule = { ExpirationInDays?: number; NoncurrentVersionExpiration?: { NoncurrentDays: number } };
