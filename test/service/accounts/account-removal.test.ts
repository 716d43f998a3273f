import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { bound, type Write } from '../../../lib/store/table/database.ts';
import { failNextChunk, postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson, atTerminal, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service, type TestService } from '../../support/service/service.ts';

let api: TestService;
let bank: Bank;
let team: string[];
const open = async () => {
  api = await service();
  bank = await Bank.open(api);
  team = ['--team', bank.team.teamId];
};

const product = { code: 'CHK', type: 'checking' };
const account = (account_number: string, unique_id?: string) => ({
  account_number,
  product,
  ...(unique_id === undefined ? {} : { contact: { unique_id } }),
});

const unlink = (account_number: string, unique_id: string) => [
  ...['account', 'unlink', ...team],
  ...['--account-number', account_number, '--unique-id', unique_id],
];
const remove = (account_number: string) => ['account', 'remove', ...team, '--account-number', account_number];

async function numbersOf(contactId: string): Promise<string[]> {
  const { value } = await adminJson('contact', 'export', ...team, '--unique-id', contactId);
  return value.accounts.map((each: { account_number: string }) => each.account_number);
}

/** A chunk that failed before it wrote anything. */
async function failedChunk(batch_id: string, record: object): Promise<void> {
  const dependencies = serviceOn(api.database);
  await postBatch(dependencies, bank.team.teamId, { batch_id, chunk_index: 0, records: [record] });
  await failNextChunk(dependencies, bank.team.teamId, 'its stored records cannot be read');
}

async function redrive(batch_id: string) {
  await adminJson('failed', 'redrive', ...team, '--batch', batch_id, '--chunk', '0');
  return bank.settled(batch_id);
}

describe('account unlink', () => {
  beforeEach(open);

  test('removes the link and nothing else, and a later file brings it back', async () => {
    const ann = await bank.contact('ann');
    await bank.apply(account('1', 'ann'), account('2', 'ann'), { account_number: '1', contact: { unique_id: 'bob' } });
    const { status, value } = await adminJson(...unlink('1', 'ann'));
    expect([status, value]).toEqual([
      0,
      {
        ...{ team_id: bank.team.teamId, account_number: '1', unique_id: 'ann', contact_id: ann },
        ...{ batch_id: expect.stringMatching(/^remove-/), status: 'removed' },
      },
    ]);
    expect(await numbersOf('ann')).toEqual(['2']);
    expect(await numbersOf('bob')).toEqual(['1']);
    await bank.apply({ account_number: '1', contact: { unique_id: 'ann' } });
    expect(await numbersOf('ann')).toEqual(['1', '2']);
  });

  test('during a change of the unique_id removes the link that is still to be moved, and it does not come back', async () => {
    const ann = await bank.contact('ann');
    await bank.apply(account('1', 'bea'), account('2', 'ann'));
    let calls = 0;
    const database = {
      ...bound(api.database),
      transact: (writes: readonly Write[]) =>
        calls++ > 0 ? Promise.reject(new Error('killed')) : api.database.transact(writes),
    };
    const rename = { from: 'ann', to: 'bea' };
    await expect(changeUniqueId({ ...serviceOn(database) }, bank.team.teamId, rename)).rejects.toThrow('killed');
    expect((await adminJson(...unlink('1', 'bea'))).value).toMatchObject({ contact_id: ann, status: 'removed' });
    await adminJson('contact', 'change-unique-id', ...team, '--from', 'ann', '--to', 'bea');
    expect(await numbersOf('bea')).toEqual(['2']);
  });

  test('is nobody’s batch: no list has it, and its end is no event', async () => {
    const { batch_id } = await bank.apply(account('1', 'ann'));
    const removed = (await adminJson(...unlink('1', 'ann'))).value.batch_id;
    const later = (await bank.apply(account('2'))).batch_id;
    const idsIn = (batches: { batch_id: string }[]) => batches.map((each) => each.batch_id);
    expect(idsIn((await bank.get('/v1/batches')).body.batches)).toEqual([later, batch_id]);
    expect((await bank.get('/v1/batches?limit=1')).body).toMatchObject({ has_more: true });
    expect(idsIn((await adminJson('batch', 'list', ...team)).value)).toEqual([later, batch_id]);
    expect(await bank.status(removed)).toMatchObject({ status: 200, body: { status: 'completed' } });
    const ended = async () => idsIn((await bank.get('/v1/events?type=batch.*')).body.events);
    await expect.poll(ended, { timeout: 20_000 }).toContain(later);
    expect(await ended()).not.toContain(removed);
  });

  test('asks first at a terminal, and says what it will do', async () => {
    await bank.apply(account('1', 'ann'));
    atTerminal();
    const { status, value } = await adminJson(...unlink('1', 'ann'));
    expect([status, value.error]).toEqual([1, 'confirmation_required']);
    expect(value.details[0].message).toContain('The contact ann no longer sees account 1.');
    expect(await numbersOf('ann')).toEqual(['1']);
    expect((await adminJson(...unlink('1', 'ann'), '--yes')).status).toBe(0);
    expect(await numbersOf('ann')).toEqual([]);
  });

  test('of a contact without the link finds nothing', async () => {
    await bank.apply(account('1', 'ann'));
    const { status, value } = await adminJson(...unlink('1', 'bob'));
    const details = [{ path: '--unique-id', message: 'the contact has no link to this account' }];
    expect([status, value]).toEqual([1, { error: 'not_found', details }]);
    expect((await adminJson('batch', 'list', ...team)).value).toHaveLength(1);
  });

  test('of a link that only an older failed chunk would create keeps that chunk from creating it', async () => {
    await failedChunk('old', { account_number: '1', contact: { unique_id: 'ann' } });
    expect((await adminJson(...unlink('1', 'ann'))).value.error).toBe('not_found');
    expect((await redrive('old')).records).toMatchObject({ superseded: 1 });
    await bank.apply(account('1'));
    expect(await numbersOf('ann')).toEqual([]);
  });
});

describe('account remove', () => {
  beforeEach(open);

  test('removes the links of its holders, so that a later file does not bring them back', async () => {
    const ann = await bank.contact('ann');
    await bank.apply({ ...account('1', 'ann'), contact: { unique_id: 'ann', role: 'primary' } });
    await bank.apply({ account_number: '1', contact: { unique_id: 'bob', role: 'joint' } });
    await adminJson(...unlink('1', 'bob'));
    await bank.apply({ account_number: '1', contact: { unique_id: 'carl' } });
    const { value } = await adminJson(...remove('1'));
    const carl = { contact_id: expect.any(String), unique_id: null, role: null };
    expect(value.holders).toEqual([{ contact_id: ann, unique_id: 'ann', role: 'primary' }, carl]);
    await bank.apply(account('1', 'bob'));
    expect(await numbersOf('ann')).toEqual([]);
    expect(await numbersOf('carl')).toEqual([]);
    expect(await numbersOf('bob')).toEqual(['1']);
  });

  test('removes the links to an account that no record has described yet', async () => {
    await bank.apply({ account_number: '1', contact: { unique_id: 'ann' } });
    expect((await adminJson(...remove('1'))).value).toMatchObject({
      status: 'removed',
      holders: [{ unique_id: null }],
    });
    await bank.apply(account('1'));
    expect(await numbersOf('ann')).toEqual([]);
  });

  test('says in one line what was done, and then finds nothing', async () => {
    await bank.apply(account('1', 'ann'));
    expect(await admin(remove('1'))).toMatchObject({
      status: 0,
      stdout: 'Account 1 is removed, and 1 link to it.\n',
      stderr: expect.stringContaining('Account 1 is removed with all its fields, and 1 link to it.'),
    });
    const { status, value } = await adminJson(...remove('1'));
    expect([status, value.error, value.details[0].path]).toEqual([1, 'not_found', '--account-number']);
  });
});

describe('account compare', () => {
  const file = (text: string | Buffer): string => fileOf(text, 'csv');
  const header = 'account_number,contact.unique_id,product.code,product.type\n';
  const compare = (path: string, ...more: string[]) => admin(['account', 'compare', path, ...team, ...more]);

  // Only the last tests change anything.
  beforeAll(async () => {
    await open();
    await bank.contact('ann');
    await bank.apply(account('1', 'ann'), account('2', 'ann'), account('3'), {
      account_number: '1',
      contact: { unique_id: 'bob', role: 'joint' },
    });
    await adminJson('contact', 'change-unique-id', ...team, '--from', 'ann', '--to', 'anna');
  });

  test('lists as CSV what the file does not name, and removes nothing', async () => {
    const { status, stdout, stderr } = await compare(file(`${header}1,anna,CHK,checking\n9,carl,CHK,checking\n`));
    expect(status).toBe(0);
    // Nobody has created the contact bob, so only its id is known.
    expect(stdout.replaceAll(/[0-9a-f-]{36}/g, '<id>').split('\n')).toEqual([
      'missing,account_number,contact.unique_id,contact.role,contact_id',
      'link,1,,joint,<id>',
      'account,2,,,',
      'link,2,anna,,<id>',
      'account,3,,,',
      '',
    ]);
    expect(stderr).toContain('The file does not name 2 of 3 accounts and 2 of 3 links (66.7%).');
    expect(await numbersOf('anna')).toEqual(['1', '2']);
    const { value } = await adminJson('account', 'compare', file(`${header}1,anna,CHK,checking\n`), ...team);
    expect(value).toContainEqual({
      ...{ missing: 'link', account_number: '2', contact_id: expect.any(String), unique_id: 'anna', role: null },
    });
  });

  test('removes nothing beyond the limit, with invalid rows, or without --yes at a terminal', async () => {
    const full = file(`${header}1,anna,CHK,checking\n`);
    const refused = async (path: string, percent: string, ...more: string[]) =>
      (await adminJson('account', 'compare', path, ...team, '--remove-missing', percent, ...more)).value;
    expect(await refused(full, '66%', '--yes')).toMatchObject({
      error: 'conflict',
      details: [{ message: expect.stringContaining('That is more than 66%. Nothing was removed.') }],
    });
    const bad = file(`${header}1,anna,CHK,checking\n2,anna,CHK,nonsense\n`);
    expect(await refused(bad, '100%', '--yes')).toMatchObject({
      error: 'conflict',
      details: [{ message: expect.stringContaining('1 row of the file is invalid') }],
    });
    const row = `${header}1,anna,CHK,checking\n`;
    const ends = 'the last line has no line end';
    for (const [content, reason] of [
      [`${row}2,anna,CHK,checking`, ends],
      [`${row.replaceAll('\n', '\r\n')}2,anna,CHK,checking\r`, ends],
      [header, 'the file has no rows'],
      [`${row}2,"anna`, 'ends inside quotes'],
      [gzipSync(row).subarray(0, -1), 'gzip data is damaged or ends too early'],
    ] as const) {
      const message = expect.stringContaining(reason);
      expect(await refused(file(content), '100%', '--yes')).toMatchObject({ details: [{ message }] });
    }
    expect(await refused(full, 'many', '--yes')).toMatchObject({ error: 'invalid_arguments' });
    atTerminal();
    expect(await refused(full, '100%')).toMatchObject({ error: 'confirmation_required' });
    expect(await numbersOf('anna')).toEqual(['1', '2']);
    expect(await numbersOf('bob')).toEqual(['1']);
  });

  test('reads the file with a map, and names contacts as imports do after a change of the unique_id', async () => {
    const map = fileOf({ NR: 'account_number', WHO: 'contact.unique_id' });
    const { stdout } = await compare(file('NR,WHO\n1,anna\n1,bob\n2,anna\n'), '--map', map);
    expect(stdout.split('\n').slice(1)).toEqual(['account,3,,,', '']);
  });

  test('removes the links that the file does not name, in the order of the imports', async () => {
    const full = file(`${header}1,anna,CHK,checking\n3,,CHK,checking\n`);
    const { status, stdout, stderr } = await compare(full, '--remove-missing', '70%', '--yes');
    expect(status).toBe(0);
    expect(stdout.split('\n').filter((line) => line.startsWith('link,'))).toHaveLength(2);
    expect(stdout).not.toContain('\naccount,');
    expect(stderr).toContain('Removed: 2 links.');
    expect(await numbersOf('anna')).toEqual(['1']);
    expect(await numbersOf('bob')).toEqual([]);
    expect((await adminJson('account', 'show', ...team, '--account-number', '2')).status).toBe(0);
    const other = file(`${header}9,carl,CHK,checking\n`);
    expect((await compare(other, '--remove-missing', '100%', '--yes')).status).toBe(0);
    expect(await numbersOf('anna')).toEqual([]);
  });

  test('removes nothing while a chunk is open', async () => {
    await open();
    // Their wakes are sent to a queue without a reader.
    const unread = serviceOn(api.database);
    const post = (...records: object[]) => postBatch(unread, bank.team.teamId, { batch_id: randomUUID(), records });
    await post(account('1', 'ann'));
    await workAll(unread, bank.team.teamId);
    await post(account('7', 'anna'));
    const { value } = await adminJson(
      ...['account', 'compare', file(`${header}1,anna,CHK,checking\n`), ...team, '--remove-missing', '100%', '--yes'],
    );
    expect(value).toMatchObject({ error: 'conflict', details: [{ message: expect.stringContaining('Nothing was') }] });
  });
});
