import { beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../support/operations/audit.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const bank = await Bank.open(api);
const other = await Bank.open(api);
const ids: Record<string, string> = {};
const inTeam = ['--team', bank.team.teamId];

beforeAll(async () => {
  const ana = { name_first: 'Ana', name_last: 'Nováková', email: 'ana@find.example', phone_mobile: '(555) 010-0200' };
  ids.ana = await bank.contact('cif 1', ana);
  ids.jan = await bank.contact('cif-2', { name_first: 'Jan', name_last: 'Novak' });
  ids.short = await bank.contact('0200', { name_last: 'Short' });
  ids.named = await bank.contact('jan', { name_last: 'Other' });
  await other.contact('cif-9', ana);
  const product = { code: 'CHK', type: 'checking' };
  await bank.apply(
    { account_number: '7001', contact: { unique_id: 'cif 1', role: 'primary' }, product },
    { account_number: '7001', contact: { unique_id: 'cif-2', role: 'joint' } },
    { account_number: '55512340000', contact: { unique_id: 'cif-2', role: 'joint' }, product },
    { account_number: '7001', contact: { unique_id: 'not stored' } },
  );
});

const find = async (...args: string[]) => {
  const { status, value } = await adminJson('contact', 'find', ...args, ...inTeam);
  const found = value.contacts?.map(({ id, found_by }: { id: string; found_by: string }) => {
    return `${Object.entries(ids).find(([, each]) => each === id)?.[0]} by ${found_by}`;
  });
  return { status, value, found };
};

test.each([
  ['a part of a name, without accents', 'novak', ['jan by name', 'ana by name']],
  ['words in any order', 'NOVÁKOVÁ ana', ['ana by name']],
  ['an email', 'ana@find.example', ['ana by email']],
  ['the digits of a phone number', '555-0100200', ['ana by phone']],
  ['an account number', '7001', ['ana by account_number', 'jan by account_number']],
  ['an account number in groups', '5551-234 0000', ['jan by account_number']],
  ['a unique_id that is also the end of a phone number', '0200', ['short by unique_id', 'ana by phone']],
  ['a name and the end of a phone number', 'novakova 0200', ['ana by phone']],
  ['a phone number in groups and a name', '(555) 010-0200 Ana', ['ana by phone']],
  ['a name and an account number', 'jan 7001', ['jan by account_number']],
  ['a name and an account number in groups', 'Novak 5551-234 0000', ['jan by account_number']],
  ['a name that is also in the email', 'ana', ['ana by name']],
  ['a part of the email and a name', 'nova @find', ['ana by email']],
  ['a unique_id', 'cif 1', ['ana by unique_id']],
  ['a unique_id that is also a name', 'jan', ['named by unique_id', 'jan by name']],
])('people are found by %s', async (_, text, expected) => {
  const { status, found } = await find(text);
  expect({ status, found: found.toSorted() }).toEqual({ status: 0, found: expected.toSorted() });
});

test('an email is found by its key if a channel declares the field, and in another case as before', async () => {
  const file = fileOf({ engagement_channels: [{ name: 'Web', lookup_fields: ['email'] }] });
  expect((await adminJson('content', 'import', file, ...inTeam)).status).toBe(0);
  for (const email of ['ana@find.example', 'ANA@find.example'])
    expect((await find(email)).found).toEqual(['ana by email']);
});

test('prints who each is and the next command, and says how many more match', async () => {
  const { value } = await find('ana nova');
  expect(value).toEqual({
    ...{ matched: 1, has_more: false },
    contacts: [
      {
        ...{ id: ids.ana, unique_id: 'cif 1', name: 'Ana Nováková', email: 'ana@find.example', found_by: 'name' },
        ...{ phones: ['15550100200'], account_numbers: ['7001'] },
      },
    ],
  });
  const { stdout, stderr } = await admin(['contact', 'find', 'novak', ...inTeam, '--limit', '1']);
  expect(stdout).toMatch(/^(Jan Novak|Ana Nováková) \(.+\), found by name\n/);
  expect(stderr).toContain('The first 1 of 2 contacts.');
  const { stdout: quoted } = await admin(['contact', 'find', '7001', ...inTeam]);
  expect(quoted).toContain(`contact show ${inTeam.join(' ')} --unique-id 'cif 1'`);
});

test.each([
  ['nobody', 'Xaver', { matched: 0, has_more: false, contacts: [] }],
  ['nobody with the name and the digits', 'jan 0200', { matched: 0, has_more: false, contacts: [] }],
  ['nobody with the name and the account', 'other 7001', { matched: 0, has_more: false, contacts: [] }],
  ['nobody whose account is in another team', '7999', { matched: 0, has_more: false, contacts: [] }],
  ['a text that says too little', '55', { error: 'invalid_arguments', details: expect.anything() }],
])('exits with 1 for %s', async (_, text, expected) => {
  expect(await find(text)).toMatchObject({ status: 1, value: expected });
});

test('says what must be complete if nobody is found', async () => {
  const { stdout } = await admin(['contact', 'find', '7999', ...inTeam]);
  expect(stdout).toMatch(/^Nobody is found\. Account numbers and unique_ids must be complete/);
});

test('the audit log has who was shown, and not what was looked for', async () => {
  await find('nováková');
  const acts = (await entriesOf(api.database, bank.team.teamId)).filter(({ what }) => what === 'contact find');
  expect(acts.at(-1)).toMatchObject({ outcome: 'done', ids: { contact_ids: [ids.ana] } });
  expect(JSON.stringify(acts)).not.toMatch(/nov|cif|7001/i);
});
