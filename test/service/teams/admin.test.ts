import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { loadTeam, updateTeam } from '../../../lib/store/teams/teams.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const empty = temporaryDirectory();

const tokenStatus = async (client_id: string, client_secret: string) => {
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  return (await api.request('POST', '/oauth2/token', { body })).status;
};

describe('the life of a team and its credentials', () => {
  test('goes through every verb', async () => {
    const features = ['product_objective_reporting', 'product_objective_reporting_phase_2'];
    const made = await adminJson(
      'team',
      'create',
      '--name',
      'Bank & Söhne',
      ...features.flatMap((f) => ['--feature', f]),
    );
    expect(made).toMatchObject({ status: 0, value: { name: 'Bank & Söhne', features, privacy_policy_url: null } });
    const team: string = made.value.team_id;
    expect(made.value).not.toHaveProperty('secret');
    expect(await loadTeam(api.database, team)).toMatchObject({
      features,
      secret: expect.stringMatching(/^[\w-]{43}$/),
    });

    const teams = await adminJson('team', 'list');
    const credential = await adminJson('client', 'create', '--team', team);
    expect(teams.value.map((each: { team_id: string }) => each.team_id)).toContain(team);
    const { client_id, client_secret } = credential.value;
    expect(credential).toEqual({ status: 0, value: { client_id, client_secret, team_id: team } });
    expect(await tokenStatus(client_id, client_secret)).toBe(200);

    const rotated = await adminJson('client', 'rotate', client_id);
    expect(rotated).toEqual({ status: 0, value: { client_id, client_secret: expect.any(String), team_id: team } });
    expect(await tokenStatus(client_id, rotated.value.client_secret)).toBe(200);
    expect(await tokenStatus(client_id, client_secret)).toBe(200);

    // A second rotation ends the first secret, which still works.
    const { isTTY } = process.stdin;
    process.stdin.isTTY = true;
    const asked = await adminJson('client', 'rotate', client_id);
    expect(asked.value).toMatchObject({ error: 'confirmation_required' });
    expect(asked.value.details[0].message).toMatch(
      /Its secret of .*Z, which would work until .*Z, stops working at once/,
    );
    expect(await tokenStatus(client_id, client_secret)).toBe(200);
    expect((await adminJson('client', 'rotate', client_id, '--yes')).status).toBe(0);
    process.stdin.isTTY = isTTY;
    expect(await tokenStatus(client_id, client_secret)).toBe(401);

    const revoked = await adminJson('client', 'revoke', '--client', client_id);
    expect(revoked).toMatchObject({ status: 0, value: { client_id, team_id: team, revoked_by: 'administrator' } });
    expect(await tokenStatus(client_id, client_secret)).toBe(401);
    const again = await adminJson('client', 'rotate', client_id);
    expect(again).toMatchObject({ status: 1, value: { error: 'validation_failed' } });

    const listed = await adminJson('client', 'list', '--team', team);
    expect(listed).toEqual({ status: 0, value: [revoked.value] });
    expect(JSON.stringify(listed.value)).not.toContain('hash');
  });

  test('is shown to people as lines and tables', async () => {
    const { local } = api;
    const teams = await admin(['team', 'list']);
    const clients = await admin(['client', 'list', '--team', local.team_id]);
    expect(teams.stdout).toMatch(/^TEAM {2,}NAME {2,}FEATURES {2,}CREATED\n/);
    expect(teams.stdout).toMatch(new RegExp(`^${local.team_id}  Cedar Valley Credit Union {2,}none `, 'm'));
    expect(clients.stdout).toMatch(new RegExp(`^${local.client_id}  ${local.team_id} .* live$`, 'm'));
  });
});

test('a team has the addresses that its pages lead to, and their language in canonical form', async () => {
  const [privacy, terms] = ['https://bank.example/privacy', 'https://bank.example/terms'];
  const addresses = ['--privacy-policy-url', privacy, '--terms-of-service-url', terms];
  const { value } = await adminJson('team', 'create', '--name', 'Bank', '--language', 'DE-at', ...addresses);
  expect(value).toMatchObject({ privacy_policy_url: privacy, terms_of_service_url: terms, language: 'de-AT' });
});

describe('the settings of messages', () => {
  const update = (team: string, ...options: string[]) => adminJson('team', 'update', '--team', team, ...options);
  const create = async () => (await adminJson('team', 'create', '--name', 'Bank')).value;

  test('of a new team of the local service need no set-up, and are shown', async () => {
    const team = await create();
    expect(team).toMatchObject({
      senders: expect.arrayContaining([expect.stringContaining('@')]),
      postal_address: expect.any(String),
      has_earlier_leavings: true,
      quiet_hours: { from: '20:00', to: '08:00' },
    });
    expect((await adminJson('team', 'show', '--team', team.team_id)).value).toEqual(team);
    const { stdout } = await admin(['team', 'show', '--team', team.team_id]);
    expect(stdout).toContain('20:00-08:00');
    expect(stdout).toContain(team.senders[0]);
  });

  test('are changed by options, and taken back', async () => {
    const { team_id } = await create();
    const set = await update(
      team_id,
      ...['--sender', 'Hello@Bank.example', '--sender', 'cards.example', '--postal-address', '1 Main St'],
      ...['--quiet-hours', '21:30-07:00', '--max-messages-a-week', '5', '--messages-a-second', '50'],
      ...['--verify', 'email'],
    );
    expect(set.value).toMatchObject({
      ...{ senders: ['hello@bank.example', '@cards.example'], postal_address: '1 Main St' },
      ...{ quiet_hours: { from: '21:30', to: '07:00' }, max_messages_a_week: 5, messages_a_second: 50 },
      verify_email: true,
    });
    const none = ['--no-sender', '--no-postal-address', '--quiet-hours', 'none', '--verify', 'none'];
    expect((await update(team_id, ...none)).value).toMatchObject({
      ...{ senders: [], postal_address: null, quiet_hours: null, verify_email: false, max_messages_a_week: 5 },
    });
  });

  test('have a sender only after the team has said who left before', async () => {
    const { team_id } = await create();
    await updateTeam(api.database, team_id, { senders: [], has_earlier_leavings: false });
    const refused = await update(team_id, '--sender', 'bank.example');
    expect(refused).toMatchObject({ status: 1, value: { details: [{ path: '--sender' }] } });
    expect(refused.value.details[0].message).toMatch(/suppression import .* --no-earlier-list/);
    expect((await loadTeam(api.database, team_id))!.senders).toEqual([]);
    const said = await update(team_id, '--sender', 'bank.example', '--no-earlier-list');
    expect(said.value).toMatchObject({ senders: ['@bank.example'], has_earlier_leavings: true });
  });

  test.each([
    [['--sender', 'bank'], 'such as welcome@bank.example'],
    [['--sender', 'a@bank.example\r\nBcc: b@other.example'], 'such as welcome@bank.example'],
    [['--quiet-hours', '20-8'], 'such as 05:00'],
    [['--quiet-hours', '08:00-08:00'], 'two different times'],
    [['--max-messages-a-week', '0'], 'whole number from 1'],
    [['--messages-a-second', '5000'], 'at most 1000'],
    [['--verify', 'sms'], 'email, none'],
    [['--postal-address', ' '], 'blank'],
  ])('are refused as %j, with what is possible', async (options, says) => {
    const refused = await update(api.local.team_id, ...options);
    expect(refused).toMatchObject({ status: 1, value: { error: 'invalid_arguments' } });
    expect(refused.value.details[0].message).toContain(says);
  });
});

describe('what cannot be done', () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  test.each<[what: string, args: string[], error: string, path: string]>([
    ['a missing option', ['team', 'create'], 'invalid_arguments', ''],
    ['an unknown feature', ['team', 'create', '--name', 'x', '--feature', 'y'], 'invalid_arguments', ''],
    ['an unknown verb', ['team', 'burn'], 'invalid_arguments', ''],
    ['an unknown team', ['client', 'create', '--team', nobody], 'not_found', '--team'],
    ['an unknown credential', ['client', 'revoke', nobody], 'not_found', '--client'],
    ['no credential', ['client', 'rotate'], 'invalid_arguments', '--client'],
    ['a language that is none', ['team', 'create', '--name', 'x', '--language', 'de_AT'], 'invalid_arguments', ''],
    ['a blank name', ['team', 'create', '--name', '  '], 'invalid_arguments', ''],
    [
      'no address',
      ['team', 'create', '--name', 'x', '--terms-of-service-url', 'javascript:x'],
      'invalid_arguments',
      '',
    ],
  ])('is said in JSON, with exit status 1: %s', async (_, args, error, path) => {
    expect(await adminJson(...args)).toEqual({
      status: 1,
      value: { error, details: [{ path, message: expect.any(String) }] },
    });
  });

  test('is said in words on standard error where JSON was not asked for', async () => {
    const { status, stdout, stderr } = await admin(['client', 'revoke', nobody]);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: '--client: there is no credential with this id\n',
    });
  });

  test('where no local service runs, one line says so', async () => {
    const { status, stderr } = await admin(['team', 'list'], empty);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No local service is running: .* npm start.*\n$/);
    const unreadable = join(empty, 'unreadable');
    mkdirSync(join(unreadable, 'local.json'), { recursive: true });
    expect((await admin(['team', 'list'], unreadable)).stderr).toMatch(
      /local\.json cannot be read \(EISDIR\): run this as the user/,
    );
    const gone = { ...api.local, pid: 2 ** 30 };
    writeFileSync(join(empty, 'local.json'), JSON.stringify(gone));
    const { stdout } = await admin(['team', 'list', '--json'], empty);
    expect(JSON.parse(stdout)).toMatchObject({ error: 'not_running' });
  });
});

test('every noun and verb explains itself', async () => {
  const all = await admin(['--help']);
  const verb = await admin(['client', 'rotate', '--help']);
  expect([all.status, verb.status]).toEqual([0, 0]);
  expect(all.stdout).toMatch(/team .*\n.*client /);
  expect(verb.stdout).toContain('--stack <name>');
  expect(verb.stdout).not.toContain('--watch');
  expect((await admin(['batch', 'show', '--help'])).stdout).toMatch(/with --watch, one at\s+each\s+change/);
});

test('npm passes the one JSON value and the exit status on, when it is told to be silent', async () => {
  const args = ['run', '--silent', 'admin', '--', 'client', 'list', '--team', 'unknown', '--json'];
  const env = { ...process.env, DATA_DIR: inject('serviceDirectory') };
  const { status, stdout } = await new Promise<{ status: unknown; stdout: string }>((resolve) => {
    execFile('npm', args, { cwd: projectRoot, env }, (error, out) => resolve({ status: error?.code, stdout: out }));
  });
  expect(JSON.parse(stdout)).toMatchObject({ error: 'not_found' });
  expect(status).toBe(1);
});
