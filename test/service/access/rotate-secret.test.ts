import { beforeEach, describe, expect, test } from 'vitest';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { admin, adminJson, atTerminal } from '../../support/service/admin.ts';
import { type Embedding, embedding, pageFor } from '../../support/service/channels.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
let bank: Embedding;
beforeEach(async () => {
  const text = { content_blocks: [{ type: 'text', data: { heading: 'Yours' } }] };
  bank = await embedding(api, (id) => [pageFor(id, 'view', { container: text })]);
});

const rotate = () => adminJson('team', 'rotate-secret', '--team', bank.teamId);
const get = async (path: string) => (await api.request('GET', path)).status;

describe('team rotate-secret', () => {
  test('keeps content URLs and cursors working until the next rotation', async () => {
    const [{ path }] = [await bank.person(), await bank.person()];
    const { token } = bank;
    const { next_cursor: cursor } = (await api.request('GET', '/v1/contacts?limit=1', { token })).body;
    const next = async () => (await api.request('GET', `/v1/contacts?cursor=${cursor}`, { token })).status;
    expect([await get(path), await next()]).toEqual([200, 200]);

    expect(await rotate()).toEqual({ status: 0, value: { team_id: bank.teamId, secret_id: 2 } });
    expect([await get(path), await next()]).toEqual([200, 200]);

    expect((await rotate()).value.secret_id).toBe(3);
    expect([await get(path), await next()]).toEqual([404, 400]);
  });

  test('prints no secret, and neither does the list of teams', async () => {
    const outputs = [
      await admin(['team', 'rotate-secret', '--team', bank.teamId]),
      await admin(['team', 'list', '--json']),
    ];
    const { secret, previous_secret } = (await loadTeam(api.database, bank.teamId))!;
    for (const { stdout, stderr } of outputs) {
      for (const hidden of [secret, previous_secret!]) expect(stdout + stderr).not.toContain(hidden);
      expect(stdout).not.toContain('previous_secret');
    }
  });

  test('asks for --yes at a terminal, and says what it will do', async () => {
    const before = await loadTeam(api.database, bank.teamId);
    atTerminal();
    const asked = await rotate();
    expect(asked).toMatchObject({ status: 1, value: { error: 'confirmation_required' } });
    expect(asked.value.details[0].message).toMatch(/stop working now.*--yes/s);
    expect(await loadTeam(api.database, bank.teamId)).toEqual(before);
    const done = await admin(['team', 'rotate-secret', '--team', bank.teamId, '--yes', '--json']);
    expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining('until the next rotation') });
  });

  test('refuses a team that does not exist', async () => {
    const { status, value } = await adminJson('team', 'rotate-secret', '--team', crypto.randomUUID());
    expect([status, value.error, value.details[0].path]).toEqual([1, 'not_found', '--team']);
  });
});
