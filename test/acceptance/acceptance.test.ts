import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { service } from '../support/service.ts';
import type { Result } from './suite.ts';

const { local } = await service();

function acceptance(...args: string[]): Promise<{ status: unknown; stdout: string }> {
  const env = { ...process.env, DATA_DIR: inject('serviceDirectory') };
  const options = { env, maxBuffer: 100_000_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, ['test/acceptance/run.ts', ...args], options, (error, stdout) =>
      resolve({ status: error ? error.code : 0, stdout }),
    );
  });
}

describe('the acceptance checks of the local service', () => {
  let run: { status: unknown; stdout: string };
  let results: Result[];

  beforeAll(async () => {
    run = await acceptance('--no-wait', '--json');
    results = JSON.parse(run.stdout).results;
  }, 600_000);

  test('pass', () => {
    expect(results.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(JSON.parse(run.stdout).clean_up_failures).toEqual([]);
    expect(run.status).toBe(0);
  });

  test('are all of the checks but those that wait for minutes', () => {
    expect(results.length).toBeGreaterThan(300);
    const reasons = results.filter(({ result }) => result === 'not checked').map(({ reason }) => reason);
    expect(reasons).toEqual([
      'a token lives for 3600 seconds',
      'an erasure waits until no earlier request can be running',
    ]);
  });
});

describe('the command', () => {
  test('lists what it cannot check with credentials alone, and fails if a sentence is violated', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acceptance-'));
    const file = join(folder, 'credentials.json');
    const { client_id, client_secret, team_id } = local;
    writeFileSync(file, JSON.stringify({ client_id, client_secret, team_id }));
    const run = await acceptance('--base-url', local.base_url, '--credentials', file, '--short');
    expect(run.stdout).toContain('not checked');
    expect(run.stdout).toContain('needs the administrator');
    expect(run.status).toBe(0);
    writeFileSync(file, JSON.stringify({ client_id, client_secret: 'wrong', team_id }));
    const failed = await acceptance('--base-url', local.base_url, '--credentials', file, '--short');
    expect(failed.stdout).toContain('FAILED       Specification, Contact: the same shape is sent and returned');
    expect(failed.status).toBe(1);
    rmSync(folder, { recursive: true });
  });

  test('explains itself', async () => {
    const { status, stdout } = await acceptance('--help');
    expect([status, stdout]).toEqual([0, expect.stringContaining('--base-url <url>')]);
  });
});
