import { beforeAll, describe, expect, inject, test } from 'vitest';
import { localInstallation } from '../../bin/admin/installation.ts';
import { runSmokeCommand } from '../../bin/smoke/command.ts';
import type { SmokeReport } from '../../bin/smoke/report.ts';
import { loadClient } from '../../lib/store/clients.ts';
import { onServiceOf } from '../support/admin.ts';
import { service } from '../support/service.ts';

await service();
const directory = inject('serviceDirectory');

const smoke = (...args: string[]) => onServiceOf(directory, () => runSmokeCommand(args));

describe('the smoke test of the local service', () => {
  let status: number;
  let report: SmokeReport;

  beforeAll(async () => {
    const run = await smoke('--no-wait', '--json');
    status = run.status as number;
    report = JSON.parse(run.stdout);
  }, 120_000);

  test('passes every step, except those that wait for a schedule, change functions or rotate the key', () => {
    expect(report.steps.filter(({ result }) => result === 'failed')).toEqual([]);
    const skipped = report.steps.filter(({ result }) => result === 'skipped').map((step) => step.function);
    const changed = ['import-worker', 'drop-box-reader', 'drop-box-reader'];
    expect(skipped).toEqual(['import-sweeper', ...changed, 'rotate-signing-key']);
    expect(report).toMatchObject({ failed: 0, skipped: 5 });
    expect(status).toBe(0);
  });

  test('cleans up: contacts, clients, the image and dropped files', async () => {
    expect(report.clean_up).toMatchObject({ failures: [], images_removed: 1 });
    expect(report.clean_up!.contacts_erased).toBeGreaterThan(40);
    expect(report.clean_up!.files_removed).toBeGreaterThan(5);
    const installation = localInstallation(directory);
    const items = [];
    for await (const page of installation.scanTeam(report.team_id)) items.push(...page);
    expect(items.filter(({ pk, sk }) => pk.includes('#C#') && sk === 'CONTACT')).toEqual([]);
    const clients = items.filter(({ sk }) => sk.startsWith('CLIENT#')).map(({ sk }) => sk.slice('CLIENT#'.length));
    expect(clients.length).toBeGreaterThan(1);
    for (const id of clients) {
      expect((await loadClient(installation.database, id))?.revoked_at).not.toBeNull();
    }
    for await (const file of installation.dropBox().list(`${report.team_id}/`)) expect(file.key).toBe('removed');
  });
});

describe('the command', () => {
  test('says in one line why it cannot run', async () => {
    const { status, stdout } = await smoke('--base-url', 'http://127.0.0.1:9', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: 'unreachable' });
  });

  test('explains itself', async () => {
    const { status, stdout } = await smoke('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('npm run smoke -- --stack Onboarding');
  });
});
