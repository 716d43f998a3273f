import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DropState, insertDrop } from '../../../lib/store/drop-box/drop-files.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { dropState } from '../../support/samples/dropped-files.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();

const rows = { read: 4, accepted: 3, rejected: 1, created: 2, existing: 1 };
const stateOf = (key: string, second: number, change: Partial<DropState> = {}) =>
  dropState(key, { rows, received_at: `2026-01-01T00:00:0${second}.000000Z`, ...change });

async function insert(teamId: string, ...states: DropState[]): Promise<void> {
  for (const state of states) {
    await insertDrop(api.database, teamId, derivedFileId(state.key, state.version), state, Date.now());
  }
}

const list = (teamId: string, ...args: string[]) => adminJson('drop', 'list', '--team', teamId, ...args);

describe('drop list', () => {
  test('shows files under way with their rows so far, and how others ended, newest first', async () => {
    const { teamId } = await api.newTeam();
    const key = (name: string, type = 'contacts') => `${teamId}/${type}/${name}`;
    const ended = { read: 4, accepted: 3, rejected: 1, applied: 3, unchanged: 0, superseded: 0 };
    const outcome = (status: 'failed' | 'refused', reason: string) => ({
      phase: 'done' as const,
      outcome: { status, reason, rows: ended, finished_at: '2026-01-01T00:01:00.000000Z' },
    });
    await insert(
      teamId,
      stateOf(key('1', 'accounts'), 1, outcome('failed', 'It broke off.')),
      stateOf(key('2', 'accounts'), 2, outcome('refused', 'It is no CSV.')),
      stateOf(key('3'), 3),
    );
    const { value } = await list(teamId);
    const shown = value.map(({ key: name, state, reason }: Record<string, string>) => [name, state, reason]);
    expect(shown).toEqual([
      [key('3'), 'reading', null],
      [key('2', 'accounts'), 'refused', 'It is no CSV.'],
      [key('1', 'accounts'), 'failed', 'It broke off.'],
    ]);
    const newest = await list(teamId, '--limit', '2');
    expect(newest.value.map(({ state }: { state: string }) => state)).toEqual(['reading', 'refused']);
    const { stdout } = await admin(['drop', 'list', '--team', teamId]);
    expect(stdout).toMatch(/^FILE +STATE +ACCEPTED +REJECTED +RECEIVED +NOTE\n/);
    expect(stdout).toMatch(/accounts\/2 +refused .* It is no CSV\.\n/);
    expect(stdout.split('\n').every(({ length }) => length < 140)).toBe(true);
    expect(stdout).toMatch(/contacts\/3 +reading +3 +1 +2026-01-01T00:00:03Z +25% rejected\n/);
  });

  test('shows notices of a file that is done', async () => {
    const { teamId } = await api.newTeam();
    const inbox = join(api.local.drop_box_folder, teamId, 'contacts');
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, 'header.csv'), 'unique_id,name_first\n');
    const value = await until(
      'the file is done',
      async () => (await list(teamId)).value,
      ([found]) => found?.state === 'done',
    );
    expect(value).toMatchObject([
      { state: 'done', reason: null, notices: [{ kind: 'no_rows', count: 1, first_rows: [] }] },
    ]);
    const { stdout } = await admin(['drop', 'list', '--team', teamId]);
    expect(stdout).toMatch(/header\.csv +done +0 +0 .* the file has no rows\n/);
    const shown = await admin(['drop', 'show', value[0].key]);
    expect(shown.stdout).toMatch(/notices +the file has no rows\n/);
  });

  test('shows what a gateway writes: no helper file, and of two copies one import', async () => {
    const { teamId } = await api.newTeam();
    const inbox = join(api.local.drop_box_folder, teamId, 'contacts');
    mkdirSync(inbox, { recursive: true });
    const write = (name: string, content: string) => writeFileSync(join(inbox, name), content);
    const states = async () =>
      (await list(teamId)).value.map(({ state, rows }: { state: string; rows: object }) => [state, rows]);
    for (const name of ['a.csv.filepart', 'a.csv.MD5', '_SUCCESS', '.a.csv']) write(name, 'unique_id\nhelper\n');
    const content = 'unique_id\ngateway\n';
    write('a.csv', content);
    const once = ['done', { read: 1, accepted: 1, rejected: 0, created: 1, existing: 0 }];
    await expect.poll(states, { timeout: 20_000 }).toEqual([once]);
    write('a.csv', content);
    await expect.poll(states, { timeout: 20_000 }).toEqual([['repeated', { read: 0, accepted: 0, rejected: 0 }], once]);
    const report = JSON.parse(readFileSync(join(inbox, 'a.csv.report.json'), 'utf8'));
    expect(report).toMatchObject({ status: 'repeated', reason: expect.stringContaining('(completed, 1 rows read') });
    const { stdout } = await admin(['drop', 'list', '--team', teamId]);
    expect(stdout).toMatch(/a\.csv +repeated +0 +0 .* It has the same bytes as the version/);
  });

  test('shows no other team’s files', async () => {
    const [one, other] = [await api.newTeam(), await api.newTeam()];
    await insert(one.teamId, stateOf(`${one.teamId}/contacts/1`, 1));
    expect(await list(other.teamId)).toEqual({ status: 0, value: [] });
    const { stdout } = await admin(['drop', 'list', '--team', other.teamId]);
    expect(stdout).toBe('The team has dropped no file.\n');
  });

  test('refuses a team that is not there, and a limit that is none', async () => {
    expect(await list(randomUUID())).toMatchObject({ status: 1, value: { error: 'not_found' } });
    expect(await list(randomUUID(), '--limit', '0')).toMatchObject({
      status: 1,
      value: { error: 'invalid_arguments' },
    });
  });
});
