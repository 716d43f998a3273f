import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../../architecture/sources.ts';

const cost = (...options: string[]) =>
  promisify(execFile)(process.execPath, ['bench/cost.ts', ...options], { cwd: projectRoot });
const file = (content: object) => {
  const path = join(mkdtempSync(join(tmpdir(), 'onboarding-cost-')), 'workload.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};

test('a workload file replaces assumptions, and a number of contacts the three sizes', async () => {
  const { stdout } = await cost('--json', '--workload', file({ contacts: 80_000, changedShare: 0.5 }));
  const { sizes } = JSON.parse(stdout);
  expect(sizes).toHaveLength(1);
  expect(sizes[0].workload).toMatchObject({ contacts: 80_000, changedShare: 0.5, lookups: 7.2 });
});

test.each([
  ['an unknown assumption', () => ['--workload', file({ contact: 1 })], /is not a workload:[\s\S]*contact/],
  ['a share above one', () => ['--workload', file({ changedShare: 3 })], /changedShare/],
  ['a page with other assumptions', () => ['--write', '--workload', file({})], /--write takes no other assumptions/],
])('%s is an error', async (_, options, message) => {
  await expect(cost(...options())).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});
