import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTeam, updateTeam } from '../../../lib/store/teams/teams.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

/** The commands for listed addresses (contract, section 15, "Leaving" and "Commands"). */

const api = await service();
const { team_id: team } = api.local;
const folder = temporaryDirectory();
const run = (verb: string, ...args: string[]) => adminJson('suppression', verb, ...args, '--team', team);
const listed = async (address: string) => (await run('list', '--address', address)).value;

let people = 0;
const token = await api.tokenFor(api.local.client_id, api.local.client_secret);
const request = async (method: string, path: string, body?: object) =>
  (await api.request(method, path, { token, ...(body ? { body } : {}) })).body;
const post = (body: object) => request('POST', '/v1/contacts', body);
const read = (id: string) => request('GET', `/v1/contacts/${id}`);
const contact = (email: string) => post({ unique_id: `listed-${++people}`, email, email_opted_in: true });
const leave = (id: string) => request('POST', `/v1/contacts/${id}/opt-outs`, { channel: 'email' });

describe('the suppression list', () => {
  test('says when and why an address was listed, and never the address', async () => {
    const added = await run('add', '--address', 'Ann@Example.com');
    expect(added).toEqual({ status: 0, value: { added: true, for: 'marketing' } });
    expect((await run('add', '--address', ' ann@example.COM ')).value).toMatchObject({ added: false });
    const one = { at: expect.any(String), channel: 'email', for: 'marketing', reason: 'added' };
    expect(await listed('ann@example.com')).toEqual([one]);
    expect(await listed('other@example.com')).toEqual([]);
    await expect.poll(async () => (await run('list')).value).toContainEqual(one);
    const { stdout } = await admin(['suppression', 'list', '--team', team]);
    expect(stdout).toMatch(/TIME +CHANNEL +FOR +REASON/);
    expect(JSON.stringify((await run('list')).value) + stdout).not.toMatch(/example\.com/i);
  });

  test('makes an upsert store nobody as opted in, and is the own list of the team', async () => {
    await run('add', '--address', 'bob@example.com', '--for', 'all');
    expect(await post({ unique_id: 'bob', email: 'BOB@example.com', email_opted_in: true })).toMatchObject({
      email_opted_in: false,
    });
    const { value: other } = await adminJson('team', 'create', '--name', 'Other');
    expect((await adminJson('suppression', 'list', '--team', other.team_id)).value).toEqual([]);
  });

  test('takes an address off with a reason, and what was known of it: who left can be opted in again', async () => {
    const { id } = await contact('cy@example.com');
    await leave(id);
    await run('add', '--address', 'cy@example.com', '--for', 'all');
    expect(await read(id)).toMatchObject({ email_opted_in: false });
    expect(await listed('cy@example.com')).toMatchObject([
      { for: 'marketing', reason: 'unsubscribed' },
      { for: 'all', reason: 'added' },
    ]);
    const without = await run('remove', '--address', 'cy@example.com');
    expect(without).toMatchObject({ status: 1, value: { error: 'invalid_arguments' } });
    const removed = await run('remove', '--address', 'cy@example.com', '--reason', 'asked for it at the branch');
    expect(removed).toMatchObject({ status: 0, value: { contact_ids: [id] } });
    expect(await listed('cy@example.com')).toEqual([]);
    const says = { unique_id: `listed-${people}`, email_opted_in: true };
    expect(await post(says)).toMatchObject({ email_opted_in: true });
    const again = await run('remove', '--address', 'cy@example.com', '--reason', 'asked again');
    expect(again).toMatchObject({ status: 1, value: { error: 'not_found', details: [{ path: '--address' }] } });
  });

  test.each([
    ['one a line', 'x1@example.com\r\n\r\n  X2@example.com \nnobody\n'],
    ['CSV with a column address', 'name,Address\n"Doe, X","x1@example.com"\nY,x2@example.com\nZ,nobody\n'],
    [
      'CSV with semicolons and a byte order mark',
      '\uFEFFaddress;since\nx1@example.com;2020\nx2@example.com;\nnobody;\n',
    ],
  ])('is imported from a file with %s, and a repeat adds nothing', async (name, text) => {
    const { value: fresh } = await adminJson('team', 'create', '--name', name);
    await updateTeam(api.database, fresh.team_id, { has_earlier_leavings: false });
    const file = join(folder, `${name.replaceAll(' ', '-')}.csv`);
    writeFileSync(file, text);
    const importing = () => adminJson('suppression', 'import', file, '--team', fresh.team_id);
    expect(await importing()).toMatchObject({ status: 0, value: { added: 2, already_listed: 0, skipped: 1 } });
    expect(await importing()).toMatchObject({ status: 0, value: { added: 0, already_listed: 2 } });
    const one = ['suppression', 'list', '--team', fresh.team_id, '--address', 'x2@example.com'] as const;
    expect((await adminJson(...one)).value).toMatchObject([{ for: 'marketing', reason: 'imported' }]);
    // The team has said who left before.
    expect((await loadTeam(api.database, fresh.team_id))!.has_earlier_leavings).toBe(true);
  });

  test('is not imported from a file without addresses, which says nothing of who left before', async () => {
    const { value: fresh } = await adminJson('team', 'create', '--name', 'Fresh');
    await updateTeam(api.database, fresh.team_id, { has_earlier_leavings: false });
    const file = join(folder, 'empty.txt');
    writeFileSync(file, 'nobody\n');
    const refused = await adminJson('suppression', 'import', file, '--team', fresh.team_id);
    expect(refused).toMatchObject({ status: 1, value: { error: 'invalid_request', details: [{ path: 'file' }] } });
    expect((await loadTeam(api.database, fresh.team_id))!.has_earlier_leavings).toBe(false);
  });

  test('is in the audit log without addresses', async () => {
    await run('add', '--address', 'audited@example.com');
    const { value: entries } = await adminJson('audit', 'list', '--team', team);
    expect(entries).toContainEqual(expect.objectContaining({ what: 'suppression add', outcome: 'done' }));
    expect(entries).toContainEqual(expect.objectContaining({ what: 'suppression list', outcome: 'done' }));
    expect(JSON.stringify(entries)).not.toContain('example.com');
  });
});
