import { standardizedTypes } from '../../../lib/domain/account-fields.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import { setProduct } from '../../../lib/store/products.ts';
import type { Json } from '../../checks/http.ts';
import { keysOf, matches, pathsOf, same, uuidPattern } from '../assert.ts';
import { once, quoted, type Row, sectionOf } from '../row.ts';

const account = sectionOf('Account');
const rules = sectionOf('Rules for accounts');
const entries = sectionOf('Contact account');

const record = (uniqueId: string, more: object = {}) => ({
  account_number: `n-${uniqueId}`,
  contact: { unique_id: uniqueId },
  product: { code: 'plain', type: 'checking' },
  ...more,
});

const batch = (records: readonly object[]) => ({ type: 'accounts', records });

/** The one account of a contact, whose product has two services. */
const fixture = once(async ({ team }) => {
  const contact = await team.contact();
  const code = `with-services-${contact.id}`;
  const product = { code, type: 'savings', name: 'Saver', description: 'For a rainy day' };
  await team.imported([
    record(contact.unique_id, {
      ...{
        product,
        nickname: 'Holiday',
        balance: '1.50',
        micr: '12',
        meta_public: { a: { b: [true] } },
        meta_private: { x: 1 },
      },
      contact: { unique_id: contact.unique_id, role: 'primary' },
    }),
  ]);
  // Services are set in the admin interface.
  const services = { services: ['Bill pay', 'Alerts'] };
  await setProduct(team.installation.database, team.teamId, code, services, timestamp(Date.now()));
  const bare = await team.contact();
  await team.imported([record(bare.unique_id, { product: { code: `bare-${bare.id}`, type: 'loan' } })]);
  const [first, ...others] = await team.accountsOf(contact);
  const [empty] = await team.accountsOf(bare);
  return { first, others, empty, code };
});
const ofEntry: readonly [field: string, of: (entry: Json) => unknown, value: unknown, unset: unknown][] = [
  ['role', ({ role }) => role, 'primary', null],
  ['account.nickname', (entry) => entry.account.nickname, 'Holiday', null],
  ['account.meta_public', (entry) => entry.account.meta_public, { 'a.b.0': true }, null],
  ['account.product.type', (entry) => entry.account.product.type, 'savings', 'loan'],
  ['account.product.name', (entry) => entry.account.product.name, 'Saver', null],
  ['account.product.description', (entry) => entry.account.product.description, 'For a rainy day', null],
];

export const accountRows: readonly Row[] = [
  account.elsewhere(
    'A returned account has `id`, `inserted_at` and `updated_at`.',
    'Accounts are returned only as entries of a contact, whose field list has the `id` alone (checked below). Both times are stored and not returned.',
    'test/http/contact-accounts.test.ts',
  ),
  account.elsewhere(
    '`micr` and `routing_number` are used by the direct deposit widget before the account number and the number of the team.',
    'The widget is another system. The service stores both fields, which is checked above.',
    'test/domain/account.test.ts',
  ),
  rules.row(
    '1. One `account_number` may be in a batch under several contacts: it is one account, linked to each with its role.',
    'Imports one number under two contacts with roles, and reads one account id with both roles.',
    async ({ team }) => {
      const [one, two] = [await team.contact(), await team.contact()];
      const account_number = `shared-${one.id}`;
      await team.imported([
        record('', { account_number, contact: { unique_id: one.unique_id, role: 'primary' } }),
        record('', { account_number, contact: { unique_id: two.unique_id, role: 'joint' } }),
      ]);
      const [[first], [second]] = [await team.accountsOf(one), await team.accountsOf(two)];
      same([first.role, second.role], ['primary', 'joint'], 'the roles');
      same(first.account.id, second.account.id, 'the account id of the second contact');
    },
  ),
  rules.row(
    '2. Product attributes are used only if the `product.code` does not exist yet. An existing product is not changed.',
    'Imports a new code with attributes, then the same code with others: the product and its id stay.',
    async ({ team }) => {
      const contact = await team.contact();
      const code = `once-${contact.id}`;
      await team.imported([record(contact.unique_id, { product: { code, type: 'loan', name: 'First' } })]);
      const [before] = await team.accountsOf(contact);
      const other = { code, type: 'lease', name: 'Second', description: 'New' };
      await team.imported([record(contact.unique_id, { product: other, nickname: 'Changed' })]);
      const [after] = await team.accountsOf(contact);
      same(after.account.product, before.account.product, 'the product');
      same([after.account.product.name, after.account.nickname], ['First', 'Changed'], 'product name and nickname');
    },
  ),
  rules.elsewhere(
    '2. The same holds for file-transfer and admin uploads.',
    'A file in the drop box becomes the same requests, which needs access to the bucket.',
    'test/drop-box/',
  ),
  rules.row(
    '3. `product.standardized_type` outside the list, or an explicit `null`, is rejected with 422.',
    'Sends another value, another case, an empty string and `null`, each 422 at its path, and nothing is stored.',
    async ({ team }) => {
      const contact = await team.contact();
      for (const standardized_type of ['piggy_bank', 'CD', '', null]) {
        const records = [record(contact.unique_id, { product: { code: 'x', type: 'loan', standardized_type } })];
        const refusal = await team.call(422, 'POST /v1/batches', batch(records));
        same(pathsOf(refusal), ['/records/0/product/standardized_type'], 'the named path');
      }
      same(await team.accountsOf(contact), [], 'the accounts');
    },
  ),
  rules.elsewhere(
    '3. The standardized type is normally set in the admin interface.',
    'It is an act of the admin command, not of the API.',
    'test/admin/product.test.ts',
  ),
  rules.row(
    `The allowed values of \`product.standardized_type\` are ${quoted(standardizedTypes)}.`,
    'Imports one account with each value: all are accepted and applied. The OpenAPI document lists the same values.',
    async ({ team }) => {
      const contact = await team.contact();
      const records = standardizedTypes.map((standardized_type) =>
        record('', {
          account_number: `${standardized_type}-${contact.id}`,
          contact: { unique_id: contact.unique_id },
          product: { code: `std-${standardized_type}`, type: 'loan', standardized_type },
        }),
      );
      const status = await team.imported(records);
      same(
        [status.status, status.records.applied],
        ['completed', standardizedTypes.length],
        'status and applied records',
      );
      const { body } = await team.open(200, 'GET /openapi.json');
      const listed = body.components.schemas.ProductInputStandardizedType.enum;
      same([...listed].sort(), [...standardizedTypes].sort(), 'the values in the OpenAPI document');
      same((await team.accountsOf(contact)).length, standardizedTypes.length, 'the number of accounts');
    },
  ),
  ...ofEntry.map(([field, of, value, unset]) =>
    entries.row(
      `\`${field}\` is returned${unset === null ? ', `null` if it is not set' : ''}.`,
      'Reads the accounts of a contact with an account that has it, and of one whose account has only what is required.',
      async (world) => {
        const { first, empty } = await fixture(world);
        same(of(first), value, field);
        same(of(empty), unset, `${field} if not set`);
      },
    ),
  ),
  ...['account.id', 'account.product.id'].map((field) =>
    entries.row(`\`${field}\` is a UUID.`, 'Reads it twice: it is a UUID and stays the same.', async (world) => {
      const { first } = await fixture(world);
      matches(field === 'account.id' ? first.account.id : first.account.product.id, uuidPattern, field);
    }),
  ),
  entries.row(
    '`account.product.code` is returned.',
    'Reads the code with which the account was imported.',
    async (world) => {
      const { first, code } = await fixture(world);
      same(first.account.product.code, code, 'account.product.code');
    },
  ),
  entries.row(
    '`account.product.services` is an array of objects with `id` (UUID) and `name`.',
    'The administrator gives the product two services; a product without services has an empty array.',
    async (world) => {
      const { first, empty } = await fixture(world);
      const { services } = first.account.product;
      same(
        services.map((each: { name: string }) => each.name),
        ['Bill pay', 'Alerts'],
        'the names',
      );
      for (const each of services) {
        matches(each.id, uuidPattern, 'the id of a service');
        same(keysOf(each), ['id', 'name'], 'the fields of a service');
      }
      same(empty.account.product.services, [], 'the services of the other product');
    },
  ),
  entries.row(
    'The response is an array of entries, and only this subset of an account is exposed.',
    'Compares the keys at every level for an account that also has a balance, a `micr` and `meta_private`.',
    async (world) => {
      const { first, others } = await fixture(world);
      same(others, [], 'further entries');
      same(keysOf(first), ['account', 'role'], 'the fields of an entry');
      same(keysOf(first.account), ['id', 'meta_public', 'nickname', 'product'], 'the fields of an account');
      const product = ['code', 'description', 'id', 'name', 'services', 'type'];
      same(keysOf(first.account.product), product, 'the fields of a product');
    },
  ),
];
