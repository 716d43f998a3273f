import { accountFields, productTypes } from '../../../lib/domain/account-fields.ts';
import type { Json } from '../../checks/http.ts';
import { holds, pathsOf, same } from '../assert.ts';
import { once, quoted, type Row, sectionOf } from '../row.ts';
import { proved, seen } from './page-of-person.ts';

const { row } = sectionOf('Account');

type Kind = 'a string' | 'a date, ISO 8601' | 'a decimal' | 'an integer';
/** The types in the table of the specification. All other fields are strings. */
const dates = [
  ...['opened_date', 'closed_date', 'credit_card_activation', 'last_mobile_pay_transaction', 'last_transaction_date'],
  ...['payment_due_date', 'in_person_deposit_check_date', 'loan_payoff_date', 'maturity_date'],
  ...['last_debit_card_transaction', 'remote_deposit_last_30_days'],
];
export const decimals = [
  ...['balance', 'total_amount_last_30_days', 'last_statement_balance', 'last_transaction_amount', 'apy'],
  ...['loan_payment', 'loan_principal', 'last_mobile_pay_amount'],
];

export const integers = ['number_transactions_last_30_days'];

const kindOf = (field: string): Kind => {
  if (dates.includes(field)) return 'a date, ISO 8601';
  if (decimals.includes(field)) return 'a decimal';
  return integers.includes(field) ? 'an integer' : 'a string';
};

const fields = Object.keys(accountFields);
export const textsOfAccount = fields.filter((field) => kindOf(field) === 'a string');

const sentValue = (field: string, at: number): string | number => {
  const kind = kindOf(field);
  if (kind === 'a string') return `text ${at}`;
  if (kind === 'an integer') return 40 + at;
  if (kind === 'a decimal') return `${at}12345678901234567.${10 + at}`;
  return field === 'closed_date' ? '2099-12-31' : `2026-01-${String(1 + (at % 28)).padStart(2, '0')}`;
};

const values = Object.fromEntries(fields.map((field, at) => [field, sentValue(field, at)]));
const product = { type: 'savings', standardized_type: 'ira_savings', name: 'Later', description: 'For later' };

/** Another type than the field has. */
const wrongOf = (field: string): unknown => {
  const kind = kindOf(field);
  if (kind === 'a date, ISO 8601') return '2026-02-30';
  if (kind === 'an integer') return 1.5;
  return kind === 'a decimal' ? 'ten' : 17;
};

/** An account with every field, as its contact sees it on a page before and after the proof of identity. */
const fixture = once(async (world) => {
  const { team, ids } = world;
  const contact = await team.contact(proved);
  const account_number = `n-${contact.id}`;
  const code = `every-field-${contact.id}`;
  const record = {
    account_number,
    contact: { unique_id: contact.unique_id, role: 'joint' },
    product: { ...product, code },
    ...values,
    meta_public: { branch: { code: 'north 7' } },
    meta_private: { scores: ['score of 611 points', 'score of 612 points'] },
  };
  await team.imported([record]);
  const [entry] = await team.accountsOf(contact);
  const request = { contact: { id: contact.id } };
  const { body } = await team.call(201, `POST /v1/templates/${ids.private}/journeys`, request);
  const page = await seen(world, body.slug);
  return { ...page, entry, account_number, code };
});

/** The errors of a record in which every field has another type. */
const wrong = once(async ({ team }) =>
  team.call(422, 'POST /v1/batches', {
    type: 'accounts',
    records: [
      {
        ...Object.fromEntries(fields.map((field) => [field, wrongOf(field)])),
        account_number: 17,
        contact: { unique_id: 17, role: 17 },
        product: { code: 17, type: 17, standardized_type: 17, name: 17, description: 17 },
        meta_public: 17,
        meta_private: 17,
      },
    ],
  }),
);

const howFields =
  'Imports an account with the field and opens a page that shows it: after the proof of identity it is there, to the digit. Another type is 422.';

const storedRow = (field: string): Row =>
  row(
    `\`${field}\` is ${kindOf(field)} and optional.`,
    field === 'nickname' ? `${howFields} It is also in the accounts of the contact.` : howFields,
    async (world) => {
      const { before, after } = await fixture(world);
      const shown = `account.${field}=[${values[field]}]`;
      holds(after.includes(shown), `the page does not show ${shown}`);
      holds(field === 'nickname' || !before.includes(shown), `the page shows ${field} without a proof of identity`);
      await holdsWrong(world, field);
    },
  );

async function holdsWrong(world: Parameters<typeof wrong>[0], path: string): Promise<void> {
  const named = pathsOf(await wrong(world));
  holds(named.includes(`/records/0/${path}`), `another type of ${path} is not named in ${named.join(' ')}`);
}

/** Fields of the product and the link, with the place in which the value is returned. */
const linked: readonly [field: string, demand: string, place: (entry: Json) => unknown, value: string][] = [
  ['contact.role', 'is a string and optional, for example primary or joint', ({ role }) => role, 'joint'],
  ['product.name', 'is a string and optional', ({ account }) => account.product.name, product.name],
  [
    'product.description',
    'is a string and optional',
    ({ account }) => account.product.description,
    product.description,
  ],
];

const base = (uniqueId: string) => ({
  account_number: `n-${uniqueId}`,
  contact: { unique_id: uniqueId },
  product: { code: 'plain', type: 'checking' },
});

export const accountFieldRows: readonly Row[] = [
  row(
    '`account_number` is a string, required, and the unique id of the account.',
    'Imports one number twice with other data: still one account. Without it and with a number: 422.',
    async (world) => {
      const { team } = world;
      const contact = await team.contact();
      await team.imported([{ ...base(contact.unique_id), nickname: 'First' }]);
      await team.imported([{ ...base(contact.unique_id), nickname: 'Second' }]);
      const accounts = await team.accountsOf(contact);
      same(
        accounts.map(({ account }) => account.nickname),
        ['Second'],
        'the nicknames',
      );
      const { account_number: _, ...without } = base('x');
      const refusal = await team.call(422, 'POST /v1/batches', { type: 'accounts', records: [without] });
      same(pathsOf(refusal), ['/records/0/account_number'], 'the named path');
      await holdsWrong(world, 'account_number');
    },
  ),
  row(
    '`contact.unique_id` names the contact to link. Without it the account is stored, and a later batch can have only the mapping.',
    'Imports an account without a contact, then `account_number` with `contact` alone: the account is linked. Also for a contact that is created later.',
    async (world) => {
      const { team } = world;
      const contact = await team.contact();
      const later = team.newId();
      const { contact: _, ...without } = base(contact.unique_id);
      await team.imported([without]);
      same(await team.accountsOf(contact), [], 'the accounts before the mapping');
      const mapping = {
        account_number: without.account_number,
        contact: { unique_id: contact.unique_id, role: 'primary' },
      };
      await team.imported([mapping, { ...mapping, contact: { unique_id: later } }]);
      same(
        (await team.accountsOf(contact)).map(({ role }) => role),
        ['primary'],
        'the roles after the mapping',
      );
      const created = await team.contact({ unique_id: later });
      same((await team.accountsOf(created)).length, 1, 'the accounts of the contact that was created later');
      await holdsWrong(world, 'contact/unique_id');
    },
  ),
  row(
    '`product.code` is a string and required.',
    'Imports with a code, which is returned and shown; without it, blank and a number: 422.',
    async (world) => {
      const { entry, code, after } = await fixture(world);
      same(entry.account.product.code, code, 'product.code');
      holds(after.includes(`account.product.code=[${code}]`), 'the page does not show the code');
      for (const product of [{ type: 'loan' }, { code: ' ', type: 'loan' }]) {
        const records = [{ ...base('x'), product }];
        const refusal = await world.team.call(422, 'POST /v1/batches', { type: 'accounts', records });
        same(pathsOf(refusal), ['/records/0/product/code'], 'the named path');
      }
      await holdsWrong(world, 'product/code');
    },
  ),
  row(
    `\`product.type\` is required and one of ${quoted(productTypes)}.`,
    'Imports one account of each type, which are all returned; another one and none: 422.',
    async ({ team }) => {
      const contact = await team.contact();
      const records = productTypes.map((type) => ({
        ...base(contact.unique_id),
        account_number: `${type}-${contact.id}`,
        product: { code: `type-${type}`, type },
      }));
      await team.imported(records);
      const accounts = await team.accountsOf(contact);
      same(accounts.map(({ account }) => account.product.type).sort(), [...productTypes].sort(), 'the types');
      for (const product of [{ code: 'a', type: 'Checking' }, { code: 'a' }]) {
        const refusal = await team.call(422, 'POST /v1/batches', {
          type: 'accounts',
          records: [{ ...base('x'), product }],
        });
        same(pathsOf(refusal), ['/records/0/product/type'], 'the named path');
      }
    },
  ),
  row(
    '`product.standardized_type` is optional and defaults to `unknown`.',
    'Imports an account without it and one with it, and opens pages that show it. A number is 422.',
    async (world) => {
      const { team, ids } = world;
      const { after } = await fixture(world);
      holds(after.includes('account.product.standardized_type=[ira_savings]'), 'the page does not show the given type');
      const contact = await team.contact(proved);
      await team.imported([{ ...base(contact.unique_id), product: { code: `d-${contact.id}`, type: 'loan' } }]);
      const { body } = await team.call(201, `POST /v1/templates/${ids.private}/journeys`, {
        contact: { id: contact.id },
      });
      const plain = await seen(world, body.slug);
      holds(plain.after.includes('account.product.standardized_type=[unknown]'), 'the default is not unknown');
      await holdsWrong(world, 'product/standardized_type');
    },
  ),
  ...linked.map(([field, demand, place, value]) =>
    row(
      `\`${field}\` ${demand}.`,
      'Imports it and reads it in the accounts of the contact and on a page. Another type is 422.',
      async (world) => {
        const { entry, after } = await fixture(world);
        same(place(entry), value, field);
        const name = field === 'contact.role' ? 'role' : field;
        holds(after.includes(`account.${name}=[${value}]`), `the page does not show ${field}`);
        await holdsWrong(world, field.replace('.', '/'));
      },
    ),
  ),
  ...fields.map(storedRow),
  row(
    '`meta_public` of an account can be read by anyone who inspects journey pages.',
    'Opens a page without a proof of identity, which shows it flattened; it is in the accounts of the contact. Another type: 422.',
    async (world) => {
      const { before, entry } = await fixture(world);
      holds(before.includes('account.meta_public.branch.code=[north 7]'), 'the page does not show meta_public');
      same(entry.account.meta_public, { 'branch.code': 'north 7' }, 'meta_public');
      await holdsWrong(world, 'meta_public');
    },
  ),
  row(
    '`meta_private` of an account is exposed only after the contact has validated the identity.',
    'Opens a page before and after the proof of identity; no response of the API has it. Another type: 422.',
    async (world) => {
      const { before, after, entry } = await fixture(world);
      holds(
        !before.includes('account.meta_private.scores.0=[score of 611 points]'),
        'the page shows meta_private too early',
      );
      holds(
        after.includes('account.meta_private.scores.0=[score of 611 points]'),
        'the page does not show meta_private',
      );
      holds(!JSON.stringify(entry).includes('score of 611'), 'the API returns meta_private of an account');
      await holdsWrong(world, 'meta_private');
    },
  ),
];
