import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { DropBox, file } from '../../support/drop-box/box.ts';
import { Bank } from '../../support/service/imports.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { startService } from '../../support/service/service.ts';

const directory = temporaryDirectory();
let api: Awaited<ReturnType<typeof startService>>;
afterAll(() => api.process.stop());

test('a service that is killed while it reads a file goes on after its next start, and loses nothing', async () => {
  api = await startService({ directory, persistent: true });
  const bank = await Bank.open(api);
  const box = new DropBox(api, bank.team.teamId);
  box.copy('accounts/a.csv', file(700, 1));
  const accepted = async () => (await bank.status(box.batchId('accounts/a.csv'))).body.chunks?.accepted;
  await expect.poll(accepted, { interval: 10 }).toBeGreaterThan(0);
  api.process.kill('SIGKILL');
  await api.process.exited;
  expect(existsSync(box.path('accounts/a.csv.report.json'))).toBe(false);

  api = await startService({ directory, persistent: true });
  const { rows, status } = await new DropBox(api, bank.team.teamId).report('accounts/a.csv');
  expect([status, rows.read, rows.accepted, rows.rejected]).toEqual(['completed', 700, 700, 0]);
  expect(rows.applied! + rows.unchanged!).toBe(700);
});
