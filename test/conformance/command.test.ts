import { beforeAll, describe, expect, inject, test } from 'vitest';
import { localInstallation } from '../../bin/admin/installation.ts';
import { runConformanceCommand } from '../../bin/conformance/command.ts';
import { keyOf } from '../../bin/conformance/row.ts';
import { checkedRows } from '../../bin/conformance/rows.ts';
import type { ConformanceReport } from '../../bin/conformance/run.ts';
import { loadClient } from '../../lib/store/clients.ts';
import { isKeptByReset } from '../../lib/store/keys.ts';
import { onServiceOf } from '../support/admin.ts';
import { service } from '../support/service.ts';

await service();
const directory = inject('serviceDirectory');

const conformance = (...args: string[]) => onServiceOf(directory, () => runConformanceCommand(args));

describe('the conformance of the local service', () => {
  let status: number;
  let report: ConformanceReport;

  beforeAll(async () => {
    const run = await conformance('--json');
    status = run.status as number;
    report = JSON.parse(run.stdout);
  }, 240_000);

  test('passes every check', () => {
    expect(report.rows.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(report.rows.map(({ row }) => row)).toEqual(checkedRows.map(keyOf));
    expect(status).toBe(0);
  });

  test('leaves no data of the teams, and no client that gets a token', async () => {
    const installation = localInstallation(directory);
    expect(report.clean_up).toHaveLength(2);
    for (const { team_id, failures, deleted_items } of report.clean_up) {
      expect(failures).toEqual([]);
      expect(deleted_items).toBeGreaterThan(0);
      const items = [];
      for await (const page of installation.scanTeam(team_id)) items.push(...page);
      expect(items.filter((item) => !isKeptByReset(team_id, item))).toEqual([]);
      const clients = items.filter(({ sk }) => sk.startsWith('CLIENT#')).map(({ sk }) => sk.slice('CLIENT#'.length));
      expect(clients.length).toBeGreaterThan(0);
      for (const id of clients) expect((await loadClient(installation.database, id))?.revoked_at).not.toBeNull();
    }
  });
});

describe('the command', () => {
  test('says in one line why it cannot run', async () => {
    const { status, stdout } = await conformance('--stack', 'x', '--write', 'nowhere');
    expect([status, stdout]).toEqual([1, '']);
  });

  test('explains itself', async () => {
    const { status, stdout } = await conformance('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('npm run conformance -- --stack Onboarding');
  });
});
