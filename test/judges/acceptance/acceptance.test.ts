import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { admin } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';
import { checks } from './all.ts';
import { resent } from './http.ts';
import { type Result, runChecks } from './suite.ts';
import { type Admin, localTarget, World } from './world.ts';

const { local } = await service();
const folder = mkdtempSync(join(tmpdir(), 'acceptance-'));

let last: Promise<unknown> = Promise.resolve();
/** The administrator's command in this process, one at a time because each captures the output of the process. */
const adminHere: Admin = (args, input) => {
  const document = join(folder, crypto.randomUUID());
  const run = async () => {
    if (input !== '') writeFileSync(document, input);
    return admin([...args.map((each) => (each === '-' ? document : each)), '--json']);
  };
  const result = last.then(run);
  last = result.catch(() => undefined);
  return result;
};

describe('the acceptance checks of the local service', () => {
  let results: Result[];
  let cleanUpFailures: string[];

  beforeAll(async () => {
    const world = new World({ ...localTarget(inject('serviceDirectory'), adminHere), skipsWaits: true });
    results = await runChecks(world, checks);
    cleanUpFailures = await world.cleanUp();
  }, 600_000);

  test('pass', () => {
    expect(results.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(cleanUpFailures).toEqual([]);
    expect(resent.count).toBeLessThan(5);
  });

  test('are all of the checks but those that wait for minutes', () => {
    expect(results.length).toBeGreaterThan(300);
    const reasons = results.filter(({ result }) => result === 'not checked').map(({ reason }) => reason);
    expect(reasons).toEqual([
      'an erasure waits until no earlier request can be running',
      'a time that has come is noticed within a minute',
      'an erasure begins within a minute',
      'a walk begins after two minutes',
      'a walk begins after two minutes',
      'a token lives for 3600 seconds',
      'a journey expires within two minutes',
    ]);
  });
});

describe('the command', () => {
  function acceptance(...args: string[]): Promise<{ status: unknown; stdout: string }> {
    const env = { ...process.env, DATA_DIR: inject('serviceDirectory') };
    return new Promise((resolve) => {
      execFile(process.execPath, ['test/judges/acceptance/run.ts', ...args], { env }, (error, stdout) =>
        resolve({ status: error ? error.code : 0, stdout }),
      );
    });
  }

  test('checks the local service with the administrator’s command', async () => {
    const { status, stdout } = await acceptance('--short', '--json');
    const { results, clean_up_failures } = JSON.parse(stdout) as { results: Result[]; clean_up_failures: string[] };
    expect(results.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect([clean_up_failures, status]).toEqual([[], 0]);
  }, 300_000);

  test('lists what it cannot check with credentials alone, and fails if a sentence is violated', async () => {
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
