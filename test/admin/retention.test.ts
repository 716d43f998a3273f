import { expect, test } from 'vitest';
import { retentionOf } from '../../bin/admin/retention-classes.ts';
import { fixedDays, payloadDaysOf, retentionDefaults } from '../../lib/domain/retention.ts';
import { synthesize } from '../infra/synthesized.ts';
import { admin, adminJson } from '../support/admin.ts';

test('retention show lists every class of data, what deletes it, and its setting', async () => {
  const { status, value } = await adminJson('retention', 'show');
  expect(status).toBe(0);
  expect(value).toContainEqual({ data: 'responses', days: null, ends: 'contact erase', setting: null });
  expect(value).toContainEqual({
    data: 'records of accepted chunks',
    days: 30,
    ends: 'TTL of the table',
    setting: 'retention.payloads',
  });
  const { stdout, stderr } = await admin(['retention', 'show']);
  expect(stdout).toMatch(/^audit log +3650 +TTL of the table +retention\.audit$/m);
  expect(stdout).toMatch(/^state of dropped files +60 +TTL of the table +fixed$/m);
  expect(stderr).toContain('The local service keeps files until you delete them');
});

test('a setting that a stack does not name has its default', () => {
  expect(retentionOf({ payloads: 7, audit: undefined })).toEqual({ ...retentionDefaults, payloads: 7 });
  expect(retentionOf({ payloads: 'x' })).toEqual(retentionDefaults);
  expect(retentionOf(undefined)).toEqual(retentionDefaults);
});

test.each([
  ['7', 7],
  ['30', 30],
  ['6', undefined],
  ['31', undefined],
  ['', undefined],
  ['7.5', undefined],
])('payloads are kept for %j days', (text, days) => {
  expect(payloadDaysOf(text)).toBe(days);
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
