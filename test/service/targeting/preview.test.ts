import { describe, expect, test } from 'vitest';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

/** Contract, section 14, "Before and after": what the commands say of rules before they go live, and of people after. */

const api = await service();
const bank = await Bank.open(api);
const of = ['--team', bank.team.teamId];

const rule = (balance: number, fields: object = {}) => ({
  templates: [
    {
      ...{ name: 'Welcome', status: 'draft', template_pages: [{ page: { navigation_title: 'Hello' } }] },
      targeting_groups: [
        {
          name: 'Opens a checking account',
          conditions: [
            { field: 'product.type', operator: 'equals', value: 'checking' },
            { field: 'account.balance', operator: 'at_least', value: balance },
            { has_no_account: [{ field: 'product.type', operator: 'equals', value: 'loan' }] },
          ],
        },
      ],
      ...fields,
    },
  ],
});
const account = (number: string, unique_id: string, type: string, balance: string) => ({
  ...{ account_number: number, contact: { unique_id }, product: { code: type, type }, balance },
});

for (const unique_id of ['ann', 'bob', 'cid', 'dee']) await bank.contact(unique_id);
await bank.apply(
  ...[account('1', 'ann', 'checking', '100.01'), account('2', 'ann', 'checking', '5')],
  ...[account('3', 'bob', 'checking', '5'), account('4', 'cid', 'checking', '500'), account('5', 'cid', 'loan', '0')],
);

describe('targeting preview', () => {
  test('counts who would get a journey by a document that is not imported, and why the others would not', async () => {
    const { status, value } = await adminJson('targeting', 'preview', ...of, '--file', fileOf(rule(100)));
    expect(status).toBe(0);
    expect(value).toMatchObject({
      ...{ name: 'Welcome', strategy: 'ONE_FOR_ALL', sample: null },
      looked_at: { contacts: 4, accounts: 5 },
      holds: { contacts: 1, accounts: 1 },
      have_already: 0,
      would_start: { from_now_on: 0, if_live_for_30_days: 1, with_those_there: 1 },
      failed: [
        { condition: 'has an open account', contacts: 1 },
        { condition: 'account.balance at_least 100', contacts: 1 },
        { condition: 'has_no_account (product.type equals "loan")', contacts: 1 },
      ],
      examples: [
        {
          unique_id: 'ann',
          account_number: '1',
          values: [
            { condition: 'product.type equals "checking"', found: 'checking' },
            { condition: 'account.balance at_least 100', found: '100.01' },
            { condition: 'has_no_account (product.type equals "loan")', found: [] },
          ],
        },
      ],
    });
    const { value: templates } = await adminJson('template', 'list', ...of);
    expect(templates).toEqual([]);
  });

  test('says so in words', async () => {
    const { stdout } = await admin(['targeting', 'preview', ...of, '--file', fileOf(rule(100))]);
    expect(stdout).toMatch(/^Welcome: the rule judged for everybody\. Nothing was started\.$/m);
    expect(stdout).toMatch(/^The rule holds for +1 contact \(1 account\)$/m);
    expect(stdout).toMatch(/^With those who are there +1 journey, which only include-existing starts$/m);
    expect(stdout).toMatch(/^ +1 {2}account\.balance at_least 100$/m);
    expect(stdout).toMatch(/^ {2}ann, account 1$/m);
  });

  test('looks at some contacts only', async () => {
    const { value } = await adminJson('targeting', 'preview', ...of, '--file', fileOf(rule(0)), '--sample', '2');
    expect(value).toMatchObject({ sample: 2, looked_at: { contacts: 2 } });
  });

  test.each<[what: string, args: string[], code: string, message: string]>([
    ['neither a template nor a file', [], 'invalid_arguments', 'give --template, --file, or both'],
    ['a template that does not exist', ['--template', 'None'], 'not_found', 'no template has this id or name'],
    [
      'a document without a rule',
      ['--file', fileOf(rule(0, { targeting_groups: null }))],
      'not_found',
      'no template of the document',
    ],
    [
      'a document with a fault',
      ['--file', fileOf(rule(0, { targeting_groups: [{ conditions: [{ field: 'x', operator: 'is_set' }] }] }))],
      'validation_failed',
      'is not a field that a rule can name',
    ],
  ])('of %s is refused', async (_what, args, code, message) => {
    const { status, value } = await adminJson('targeting', 'preview', ...of, ...args);
    expect([status, value.error]).toEqual([1, code]);
    expect(JSON.stringify(value.details)).toContain(message);
  });
});

describe('targeting explain', () => {
  const outcomeFor = async (unique_id: string) => {
    const { value } = await adminJson('targeting', 'explain', ...of, '--unique-id', unique_id);
    return value.templates[0];
  };

  test('tells why a contact is in a campaign or not, with the value at each condition', async () => {
    await adminJson('content', 'import', fileOf(rule(100)), ...of);
    expect((await outcomeFor('ann')).outcome).toEqual({ kind: 'not_live', because: 'it is a draft' });
    const { value: imported } = await adminJson('content', 'import', fileOf(rule(100, { status: 'live' })), ...of);
    expect(imported.rules).toMatchObject([{ name: 'Welcome', change: 'starts' }]);
    expect((await outcomeFor('ann')).outcome).toEqual({ kind: 'stored_before' });
    const bob = await outcomeFor('bob');
    expect(bob.outcome).toEqual({ kind: 'does_not_hold' });
    expect(bob.accounts).toMatchObject([
      {
        ...{ account_number: '3', holds: false, is_since: false },
        groups: [
          {
            name: 'Opens a checking account',
            holds: false,
            conditions: [
              { field: 'product.type', holds: true, found: 'checking' },
              { field: 'account.balance', holds: false, found: '5' },
              { has_no_account: expect.any(Array), holds: true, accounts: [] },
            ],
          },
        ],
      },
    ]);
  });

  test('says so in words', async () => {
    const { stdout } = await admin(['targeting', 'explain', ...of, '--unique-id', 'bob']);
    expect(stdout).toMatch(
      /^Welcome \(live since \d{4}-\d\d-\d\dT\d\d:\d\dZ\)\n {2}Gets nothing: the rule does not hold\.$/m,
    );
    expect(stdout).toMatch(/^ {2}Account 3 \(checking\): the rule does not hold, stored before it went live$/m);
    expect(stdout).toMatch(/^ {8}✗ account\.balance at_least 100: 5$/m);
    expect((await admin(['targeting', 'explain', ...of, '--unique-id', 'dee'])).stdout).toContain('has no open one');
  });

  test('knows the journey, whoever started it', async () => {
    const { templates } = (await bank.get('/v1/templates')).body;
    const body = { contact: { unique_id: 'bob' } };
    await api.request('POST', `/v1/templates/${templates[0].id}/journeys`, { token: bank.team.token, body });
    const { kind, journeys } = (await outcomeFor('bob')).outcome;
    expect([kind, journeys]).toMatchObject(['has_journey', [{ source: 'api', state: 'open' }]]);
  });

  test('of a contact that does not exist, or is another team’s, is refused, and each is in the audit', async () => {
    const other = await api.newTeam();
    for (const args of [
      ['--team', other.teamId, '--unique-id', 'ann'],
      [...of, '--unique-id', 'nobody'],
    ]) {
      expect(await adminJson('targeting', 'explain', ...args)).toMatchObject({
        status: 1,
        value: { error: 'not_found' },
      });
    }
    const { value } = await adminJson('audit', 'list', ...of);
    expect(value.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['targeting preview', 'targeting explain']),
    );
  });
});
