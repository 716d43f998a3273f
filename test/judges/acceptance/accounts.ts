import { has, holds, keys, matches, same, uuidPattern } from './expect.ts';
import type { Json } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const decimals = [
  ...['balance', 'total_amount_last_30_days', 'last_statement_balance', 'last_transaction_amount', 'apy'],
  ...['loan_payment', 'loan_principal', 'last_mobile_pay_amount'],
];
const dates = [
  ...['opened_date', 'closed_date', 'credit_card_activation', 'last_mobile_pay_transaction', 'last_transaction_date'],
  ...['payment_due_date', 'in_person_deposit_check_date', 'loan_payoff_date', 'maturity_date'],
  ...['last_debit_card_transaction', 'remote_deposit_last_30_days'],
];
const strings = [
  ...['micr', 'routing_number', 'nickname', 'status_code', 'adverse_status', 'channel_opened', 'closed_reason'],
  ...['charge_off', 'payment_frequency', 'payment_method', 'loan_term'],
];
const standardizedTypes = `agricultural_loan auto_lease auto_loan business_cd business_checking business_credit_card
  business_lease business_loan business_loc business_money_market business_savings cd checking commercial_real_estate_loan
  construction_loan credit_card direct_auto_loan heloan heloc indirect_auto_loan investment ira_cd ira_money_market
  ira_savings loc money_market mortgage multifamily_real_estate_loan other_lease other_loan payday_alternative_loan
  personal_loan rv_boat_motorcycle_loan savings secured_credit_card secured_loan student_checking student_loan
  student_savings unknown`.split(/\s+/);

export const record = (more: Record<string, unknown> = {}): Record<string, Json> => ({
  ...{ account_number: newId(), product: { code: 'FREE', type: 'checking' } },
  ...more,
});
/** A record of an account with a product of its own. */
const withProduct = (product: object, more: object = {}) =>
  record({ product: { code: newId(), type: 'checking', ...product }, ...more });
const refuse = (team: Team, paths: string[], ...records: object[]) =>
  team.refuse(
    422,
    paths.map((path) => `/records/${path}`),
    'POST /v1/batches',
    { type: 'accounts', records },
  );

/** A new contact, and the accounts that are listed for it after these records. */
async function imported(team: Team, ...records: Record<string, Json>[]): Promise<[contact: Json, entries: Json[]]> {
  const contact = await team.contact();
  const { unique_id } = contact;
  await team.import(records.map((each) => ({ ...each, contact: { unique_id, ...each.contact } })));
  return [contact, await team.accountsOf(contact)];
}

shortCheck('Specification, Contact account: an entry has the role, the account and its product', async (world) => {
  const team = await world.team();
  const code = newId();
  const product = { code, type: 'savings', standardized_type: 'cd', name: 'Saver', description: 'For later' };
  const sent = record({
    product,
    nickname: 'Mine',
    meta_public: { a: { b: 1 } },
    meta_private: { c: 1 },
    balance: 5,
    contact: { role: 'primary' },
  });
  const [, [entry, ...others]] = await imported(team, sent);
  same(others, [], 'other entries');
  keys(entry, ['role', 'account'], 'an entry');
  keys(entry.account, ['id', 'nickname', 'meta_public', 'product'], 'account, which exposes only this subset');
  keys(entry.account.product, ['id', 'type', 'code', 'name', 'description', 'services'], 'account.product');
  matches(entry.account.id, uuidPattern, 'account.id');
  matches(entry.account.product.id, uuidPattern, 'account.product.id');
  has(entry, { role: 'primary' }, 'the entry');
  has(entry.account, { nickname: 'Mine', meta_public: { 'a.b': 1 } }, 'account');
  has(
    entry.account.product,
    { code, type: 'savings', name: 'Saver', description: 'For later', services: [] },
    'product',
  );
});

check('Specification, Contact account: what is not set is null, services is an array', async (world) => {
  const [, [entry]] = await imported(await world.team(), withProduct({}));
  has(entry, { role: null }, 'the entry');
  has(entry.account, { nickname: null, meta_public: null }, 'account');
  has(entry.account.product, { name: null, description: null, services: [] }, 'product');
});

check('Specification, Contact account: each service has id and name', async (world) => {
  const { team } = await world.content();
  const sent = withProduct({});
  const [contact] = await imported(team, sent);
  const names = ['--service', 'Bill pay', 'Alerts'];
  await world.admin(['product', 'set', '--team', team.credential.team_id!, '--code', sent.product.code, ...names]);
  const [{ account }] = (await team.accountsOf(contact)) as [Json];
  same(account.product.services.map(({ name }: Json) => name).sort(), ['Alerts', 'Bill pay'], 'the names');
  for (const service of account.product.services) {
    keys(service, ['id', 'name'], 'a service');
    matches(service.id, uuidPattern, 'id');
  }
});

check(
  'Contract 4: GET …/accounts is a bare array, ordered by account number, [] without any, 404 without the contact',
  async (world) => {
    const team = await world.team();
    const base = newId();
    const [contact] = await imported(
      team,
      ...['-b', '-a', '-c', '-10', '-9'].map((tail) => record({ account_number: base + tail, nickname: tail })),
    );
    same(
      (await team.accountsOf(contact)).map(({ account }) => account.nickname),
      ['-10', '-9', '-a', '-b', '-c'],
      'the order',
    );
    same(await team.accountsOf(await team.contact()), [], 'of a contact without accounts');
    for (const id of [crypto.randomUUID(), 'x']) await team.call(404, `GET /v1/contacts/${id}/accounts`);
  },
);

check(
  'Contract 4: no way to remove an account or a link through the API: a closed account is listed too',
  async (world) => {
    const team = await world.team();
    const sent = record({ nickname: 'Closed', closed_date: '2020-01-01' });
    const [contact, entries] = await imported(team, sent, record({ nickname: 'Open' }));
    same(entries.map(({ account }) => account.nickname).sort(), ['Closed', 'Open'], 'the accounts');
    await team.import([record({ account_number: sent.account_number, contact: { unique_id: contact.unique_id } })]);
    same((await team.accountsOf(contact)).length, 2, 'the accounts after a file without the field');
  },
);

check('Specification, Account: product.standardized_type takes each listed value', async (world) => {
  const team = await world.team();
  same(standardizedTypes.length, 40, 'the number of values');
  const records = standardizedTypes.map((standardized_type) => withProduct({ standardized_type }));
  has((await team.import(records)).records, { accepted: 40, applied: 40, rejected: 0 }, 'records');
});

check('Specification, Rules for accounts 3: any other standardized_type, or null, is 422', async (world) => {
  const team = await world.team();
  const bad = [null, '', 'Checking', 'gold', 1, true, ['checking'], 'checking '];
  const records = bad.map((standardized_type) => withProduct({ standardized_type }));
  await refuse(
    team,
    bad.map((_, at) => `${at}/product/standardized_type`),
    ...records,
  );
  await team.import([record({ product: { code: 'FREE', type: 'checking' } })]);
  await refuse(
    team,
    ['0/product/standardized_type'],
    record({ product: { code: 'FREE', type: 'checking', standardized_type: null } }),
  );
});

check('Specification, Account: product.type is one of checking, savings, loan, lease, investment', async (world) => {
  const team = await world.team();
  for (const type of ['checking', 'savings', 'loan', 'lease', 'investment']) {
    const [, [{ account }]] = (await imported(team, withProduct({ type }))) as [Json, [Json]];
    same(account.product.type, type, 'type');
  }
  const bad = ['mortgage', 'Checking', '', null, 1, undefined];
  await refuse(
    team,
    bad.map((_, at) => `${at}/product/type`),
    ...bad.map((type) => withProduct({ type })),
  );
});

check(
  'Specification, Account: account_number and product.code are required (contract 4: not blank, at most 512 bytes)',
  async (world) => {
    const team = await world.team();
    const bad = [undefined, null, '', '  ', 5, `${'é'.repeat(256)}a`, 'a\ufffd'];
    await refuse(
      team,
      bad.map((_, at) => `${at}/account_number`),
      ...bad.map((account_number) => record({ account_number })),
    );
    await refuse(
      team,
      bad.map((_, at) => `${at}/product/code`),
      ...bad.map((code) => withProduct({ code })),
    );
    const long = `${newId()}${'é'.repeat(300)}`.slice(0, 38) + 'é'.repeat(237);
    const [, entries] = await imported(team, record({ account_number: long, product: { code: long, type: 'loan' } }));
    same(entries[0].account.product.code, long, `product.code of ${Buffer.byteLength(long)} bytes`);
    const { details } = (
      await team.call(422, 'POST /v1/batches', { type: 'accounts', records: [{ account_number: 'a', nickname: 'b' }] })
    ).body;
    matches(details[0].path, /^\/records\/0\/product/, 'the path of a missing product');
  },
);

for (const [kind, fields, good, bad] of [
  [
    'a decimal',
    decimals,
    [0, -1.5, '12345678901234567890.123456789', '0.10', 1e10],
    ['x', true, {}, '1,5', '', '12 USD'],
  ],
  ['an integer', ['number_transactions_last_30_days'], [0, 12], [1.5, '1.5', true, 'x', {}]],
  [
    'a date',
    dates,
    ['2024-02-29', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.123456Z'],
    ['2023-02-29', '01/02/2024', 20240102, 'x', true],
  ],
  ['a string', strings, ['text', '', 'é'.repeat(10)], [1, true, {}, ['a']]],
  ['an object', ['meta_public', 'meta_private'], [{ a: 1 }, {}], ['x', 1, ['a']]],
] as const) {
  check(
    `Specification, Account: ${fields.join(', ')}: ${kind}; null clears it; anything else is 422`,
    async (world) => {
      const team = await world.team();
      const wrong = fields.flatMap((field) => bad.map((value) => [field, value] as const));
      await refuse(
        team,
        wrong.map(([field], at) => `${at}/${field}`),
        ...wrong.map(([field, value]) => record({ [field]: value })),
      );
      const records = fields.flatMap((field) => {
        const account_number = newId();
        return [...good, null].map((value) => record({ account_number, [field]: value }));
      });
      has((await team.import(records)).records, { accepted: records.length, rejected: 0 }, 'records');
    },
  );
}

check('Contract 4: an integer is whole; a value over the range of decimals keeps its digits', async (world) => {
  const { team, ids } = await world.content();
  const balance = '12345678901234567.8900';
  const phone_mobile = '16125550123';
  const { contact, slug } = await team.journey(ids.private, { birthdate: '1985-03-27', phone_mobile });
  const text = `{"type":"accounts","records":[{"account_number":"${newId()}","contact":{"unique_id":"${contact.unique_id}"},"product":{"code":"FREE","type":"checking"},"balance":${balance}}]}`;
  await team.finished((await team.call(202, 'POST /v1/batches', text)).body.batch_id);
  const answers = new URLSearchParams({ birth_month: '3', birth_day: '27', birth_year: '1985', phone: '0123' });
  const { headers } = await team.open(303, `POST /j/${slug}/identity`, answers);
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  const page = (await team.open(200, `GET /j/${slug}`, undefined, { cookie })).text;
  matches(
    page.replaceAll(/[,\u00a0\u202f ]/g, ''),
    /account\.balance=\[[^\]]*12345678901234567\.89/,
    'the balance on the page',
  );
});

check(
  'Specification, Rules for accounts 1: one account_number under several contacts is one account, each with its role',
  async (world) => {
    const team = await world.team();
    const [a, b] = [await team.contact(), await team.contact()];
    const account_number = newId();
    await team.import(
      [a, b].map(({ unique_id }, at) => record({ account_number, contact: { unique_id, role: `role ${at}` } })),
    );
    const [[first], [second]] = [await team.accountsOf(a), await team.accountsOf(b)];
    same([first.role, second.role, first.account.id], ['role 0', 'role 1', second.account.id], 'roles and account');
  },
);

check(
  'Specification, Rules for accounts 2: product attributes are used only when the code does not yet exist',
  async (world) => {
    const team = await world.team();
    const code = newId();
    const named = (type: string, name: string) => record({ product: { code, type, name, description: name } });
    const [, [one]] = (await imported(team, named('savings', 'First'))) as [Json, [Json]];
    const [, [two]] = (await imported(team, named('loan', 'Second'))) as [Json, [Json]];
    same(two.account.product, one.account.product, 'the product');
    has(one.account.product, { type: 'savings', name: 'First', description: 'First' }, 'the product');
    const other = newId();
    const both = ['A', 'B'].map((name) => record({ product: { code: other, type: 'loan', name } }));
    same(
      (await imported(team, ...both))[1].map(({ account }) => account.product.name),
      ['A', 'A'],
      'names in one batch',
    );
  },
);

check(
  'Specification, Account: without contact.unique_id the account is stored; a later batch may carry only the mapping',
  async (world) => {
    const team = await world.team();
    const contact = await team.contact();
    const sent = record({ nickname: 'Alone' });
    has((await team.import([sent])).records, { applied: 1, rejected: 0 }, 'records');
    const { account_number } = sent;
    await team.import([{ account_number, contact: { unique_id: contact.unique_id, role: 'joint' } }]);
    const [entry] = await team.accountsOf(contact);
    same([entry.role, entry.account.nickname], ['joint', 'Alone'], 'the entry');
  },
);

check('Contract 4: a mapping links whether or not the account or the contact exists yet', async (world) => {
  const team = await world.team();
  const [unique_id, account_number] = [newId(), newId()];
  await team.import([{ account_number, contact: { unique_id, role: 'primary' } }]);
  const contact = await team.contact({ unique_id });
  same(await team.accountsOf(contact), [], 'the accounts before the account');
  await team.import([record({ account_number, nickname: 'Late' })]);
  const entries = await team.accountsOf(contact);
  same(
    entries.map(({ role, account }) => [role, account.nickname]),
    [['primary', 'Late']],
    'the accounts',
  );
});

check('Contract 4: absent fields keep their value, null clears; role absent keeps the link’s role', async (world) => {
  const team = await world.team();
  const { unique_id, id } = await team.contact();
  const account_number = newId();
  const after = async (more: object, contact: object = {}) => {
    await team.import([record({ account_number, contact: { unique_id, ...contact }, ...more })]);
    const [{ role, account }] = (await team.accountsOf({ id } as Json)) as [Json];
    return [role, account.nickname, account.meta_public];
  };
  same(
    await after({ nickname: 'N', meta_public: { a: [1, 2], b: 1 } }, { role: 'primary' }),
    ['primary', 'N', { 'a.0': 1, 'a.1': 2, b: 1 }],
    'at first',
  );
  same(await after({ meta_public: { a: [3] } }), ['primary', 'N', { 'a.0': 3, b: 1 }], 'after absent fields');
  same(await after({ nickname: null, meta_public: { b: null } }), ['primary', null, { 'a.0': 3 }], 'after null');
  same(await after({ meta_public: null }, { role: null }), [null, null, null], 'after null of all');
});

check('Contract 4: dotted keys are the same as the nested form; beside it 422', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  const dotted = {
    account_number: newId(),
    'contact.unique_id': contact.unique_id,
    'contact.role': 'r',
    'product.code': newId(),
    'product.type': 'loan',
  };
  await team.import([dotted]);
  const [entry] = await team.accountsOf(contact);
  same([entry.role, entry.account.product.code], ['r', dotted['product.code']], 'the entry');
  const records = [record({ 'product.type': 'loan' }), { ...dotted, 'product.type': 'gold' }];
  const { details } = (await team.call(422, 'POST /v1/batches', { type: 'accounts', records })).body;
  const paths = details.map(({ path }: Json) => path);
  holds(
    paths.some((path: string) => /^\/records\/0\/product[./]type$/.test(path)),
    `the paths are ${paths}`,
  );
  holds(paths.includes('/records/1/product.type'), `a dotted key is no single segment in ${paths}`);
});

check('Contract 4: concurrent imports create a product once', async (world) => {
  const team = await world.team();
  const contact = await team.contact();
  const product = { code: newId(), type: 'loan' };
  const { unique_id } = contact;
  await Promise.all([1, 2, 3, 4].map(() => team.import([record({ product, contact: { unique_id } })])));
  same(new Set((await team.accountsOf(contact)).map(({ account }) => account.product.id)).size, 1, 'the products');
});
