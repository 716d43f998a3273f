import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { erasureIds } from '../../../bin/admin/erasure/person.ts';
import { FolderErasureList } from '../../../bin/admin/store/erasure/erasure-list.ts';
import { erasureWrite } from '../../../lib/store/erasure/erasures.ts';
import { admin, adminJson, atTerminal } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

const bank = await Bank.open(await service());
const team = ['--team', bank.team.teamId];
const contactId = await bank.contact('ann');
const product = { code: 'CHK', type: 'checking' };
await bank.apply({ account_number: '1', contact: { unique_id: 'ann', role: 'joint' }, product, nickname: 'Mine' });
await bank.apply({ account_number: '2', product, nickname: 'Of nobody' });

describe('contact export', () => {
  test('prints one document with everything of the person', async () => {
    const { status, value } = await adminJson('contact', 'export', ...team, '--unique-id', 'ann');
    expect(status).toBe(0);
    expect(value).toMatchObject({
      contact_id: contactId,
      contact: { id: contactId, unique_id: 'ann' },
      links: [{ account_number: '1', role: 'joint' }],
      accounts: [{ account_number: '1', fields: { nickname: 'Mine' } }],
      chunk_records: [{ chunk_index: 0, record_index: 0 }],
      file_rows: [],
    });
  });
});

describe('contact erase', () => {
  const erase = (unique_id: string, ...more: string[]) => [
    'contact',
    'erase',
    ...team,
    '--unique-id',
    unique_id,
    ...more,
  ];

  test('asks first at a terminal, and says what it will do', async () => {
    atTerminal();
    const { status, value } = await adminJson(...erase('ann'));
    expect([status, value.error]).toEqual([1, 'confirmation_required']);
    expect(value.details[0].message).toContain('Accounts are kept.');
    const { body } = await bank.get(`/v1/contacts/${contactId}`);
    expect(body.unique_id).toBe('ann');
  });

  test('of nobody finds nothing', async () => {
    const { status, value } = await adminJson(...erase('nobody', '--yes'));
    expect([status, value]).toEqual([0, { erased_at: expect.any(String), contact_id: null, counts: {} }]);
    const { stdout } = await admin(erase('nobody', '--yes'));
    expect(stdout).toContain('nothing was found');
  });

  test('of a list of nobody finds nothing, and needs a list', async () => {
    const file = join(temporaryDirectory(), 'list.txt');
    const list = () => adminJson('contact', 'erase', ...team, '--file', file, '--yes');
    expect((await list()).value).toMatchObject({ error: 'invalid_arguments' });
    writeFileSync(file, '\n \n');
    expect((await list()).value).toMatchObject({ error: 'invalid_arguments' });
    writeFileSync(file, '\ufeffnobody\r\n\nno one\nnobody\n');
    const value = { erased_at: expect.any(String), persons: 2, contact_ids: [], counts: {} };
    expect(await list()).toEqual({ status: 0, value });
    expect((await adminJson('contact', 'erase', ...team, '--yes')).value.error).toBe('invalid_arguments');
    for (const cells of ['unique_id\n"nobody"\n', 'nobody;\r\n', Buffer.from('nobody\nJos\xe9\n', 'latin1')]) {
      writeFileSync(file, cells);
      const { value: refused } = await list();
      expect([refused.error, JSON.stringify(refused)]).toEqual(['invalid_arguments', expect.stringMatching(/ine \d/)]);
    }
    const both = ['--file', file, '--unique-id', 'a', '--yes'];
    expect((await adminJson('contact', 'erase', ...team, ...both)).value.error).toBe('invalid_arguments');
  });

  test('that was interrupted is recorded in the audit log with the contact that it began with', async () => {
    const { database } = await service();
    const { teamId } = bank.team;
    const state = {
      contact_id: contactId,
      names: [{ unique_id: 'begun' }],
      order: 0,
      begun_at: '2026-01-01T00:00:00.000000Z',
      step: 'items' as const,
      counts: {},
      files_deleted: [],
      files_unknown: [],
    };
    await database.transact([erasureWrite(teamId, 'begun', state, 0)]);
    expect(await erasureIds(database, teamId, 'begun')).toEqual({ contact_id: contactId });
    expect(await erasureIds(database, 'begun', 'begun')).toEqual({});
  });
});

describe('the list of erasures', () => {
  test('has the erasures, and can be applied when the table has nothing of them', async () => {
    // A list of its own, so that nobody whom other tests have erased and posted again is erased.
    const folder = temporaryDirectory();
    const erasures_folder = join(folder, 'erasures');
    writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...(await service()).local, erasures_folder }));
    const command = async (...args: string[]) => JSON.parse((await admin([...args, '--json'], folder)).stdout);
    const shown = {
      erased_at: '2026-01-01T00:00:00.000000Z',
      team_id: bank.team.teamId,
      contact_id: crypto.randomUUID(),
    };
    await new FolderErasureList(erasures_folder).add({ format: 1, ...shown, order: 0, names: [] });
    expect(await command('erasure', 'list', ...team)).toEqual([shown]);
    const { teamId: other } = await (await service()).newTeam();
    expect(await command('erasure', 'list', '--team', other)).toEqual([]);
    expect(await command('erasure', 'apply', '--yes')).toEqual({ listed: 1, repeated: [] });
    atTerminal();
    expect((await command('erasure', 'apply')).error).toBe('confirmation_required');
  });
});

describe('team export', () => {
  test('writes every object of the team on a line of its own, and no secret', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'team.jsonl');
    const { status, value } = await adminJson('team', 'export', file, ...team);
    expect(status).toBe(0);
    const text = readFileSync(file, 'utf8');
    const objects = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const counts: Record<string, number> = {};
    for (const { kind } of objects) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(counts).toEqual({ account: 2, client: 1, contact: 1, link: 1, product: 1, team: 1 });
    expect(value).toEqual({ file, team_id: bank.team.teamId, counts });
    expect((await admin(['team', 'export', file, ...team])).stdout).toMatch(/^account +2$/m);
    expect(
      objects
        .filter(({ kind }) => kind === 'account')
        .map(({ account_number }) => account_number)
        .sort(),
    ).toEqual(['1', '2']);
    expect(text).not.toMatch(/secret"|hash|previous_secret"/);
    expect(readdirSync(folder)).toEqual(['team.jsonl']);
  });

  test('that breaks off leaves no file', async () => {
    const file = join(temporaryDirectory(), 'no-folder', 'team.jsonl');
    const { status, value } = await adminJson('team', 'export', file, ...team);
    expect(status).toBe(1);
    expect(value).toMatchObject({
      error: 'invalid_arguments',
      details: [{ message: expect.stringMatching(/^.*team\.jsonl cannot be written: ENOENT/) }],
    });
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });
});
