import { expect, test } from 'vitest';
import { retentionOf } from '../../../bin/admin/installation.ts';
import { retentionDefaults } from '../../../lib/domain/teams/retention.ts';
import { admin, adminJson } from '../../support/service/admin.ts';

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
});
