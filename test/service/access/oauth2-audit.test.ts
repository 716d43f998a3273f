import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/operations/audit.ts';
import { adminJson } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { basicOf, credentials, grant, postForm } from './token-requests.ts';

const api = await service();
const logOf = (team: TestTeam) => entriesOf(api.database, team.teamId);

describe('the audit log of the running service', () => {
  test('names every token that was issued, and every refusal, for as long as the setting says', async () => {
    const team = await api.newTeam();
    await postForm(grant, { authorization: basicOf(team.clientId, 'wrong-secret') });
    await postForm({ ...grant, ...credentials(team), scope: 'everything' });
    const entries = await logOf(team);
    expect(entries.map(({ what, outcome }) => [what, outcome])).toEqual([
      ['token issued', 'done'],
      ['token refused', 'invalid_client'],
      ['token refused', 'invalid_scope'],
    ]);
    expect(entries[0]!.ids).toEqual({ client_id: team.clientId, jti: decodeJwt(team.token).jti });
    for (const { who, team_id } of entries) expect([who, team_id]).toEqual([team.clientId, team.teamId]);
    for (const value of [team.clientSecret, team.token, 'wrong-secret']) {
      expect(JSON.stringify(entries)).not.toContain(value);
    }
    const month = new Date().toISOString().slice(0, 7);
    const { items } = await api.database.query({ pk: `AUDIT#${team.teamId}#${month}` });
    const days = (Number(items[0]!.expires_at) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(3650);
  });
});

describe('a credential with a name and an expiry', async () => {
  const team = await api.newTeam();
  const create = async (...options: string[]) =>
    (await adminJson('client', 'create', '--team', team.teamId, '--name', 'Nightly file', ...options)).value;

  test('is listed with both, and with the day of its last token', async () => {
    const { client_id, client_secret } = await create('--expires', '2999-01-01');
    const listed = async () =>
      (await adminJson('client', 'list', '--team', team.teamId)).value.find(
        (each: { client_id: string }) => each.client_id === client_id,
      );
    const fields = { name: 'Nightly file', expiry: '2999-01-01T00:00:00.000000Z' };
    expect(await listed()).toMatchObject({ ...fields, last_used_on: null });
    await api.tokenFor(client_id, client_secret);
    expect(await listed()).toMatchObject({ ...fields, last_used_on: new Date().toISOString().slice(0, 10) });
  });

  test.each([
    ['a time that is over', ['--expires', '2026-01-01']],
    ['no date', ['--expires', 'soon']],
    ['a date that no calendar has', ['--expires', '2999-02-30']],
    ['a blank name', ['--name', ' ']],
  ])('is not made with %s', async (_, options) => {
    expect((await create(...options)).error).toBe('invalid_arguments');
  });
});
