import { imported, record } from './accounts.ts';
import { has, holds, same } from './expect.ts';
import type { Json } from './http.ts';
import { check } from './suite.ts';
import { newId } from './world.ts';

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
