import { describe, expect, test } from 'vitest';
import { accountFields, standardizedTypes } from '../../../lib/domain/accounts/account-fields.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { checking, faults, owner, parse, parseText, pathsOf } from './account-records.ts';

const fieldsOf = (fields: object) => parse({ account_number: '1', product: checking, ...fields }).account?.fields;

/** A value of each kind of field as it may be sent, and as it is stored. */
const samples: Record<string, [sent: JsonValue, kept: string | number]> = {
  text: ['any text', 'any text'],
  date: ['2024-02-29', '2024-02-29'],
  decimal: ['12.50', '12.50'],
  integer: [7, 7],
};

/** The account's fields as the specification lists them, by kind. */
const specified: Record<string, string[]> = {
  text: [
    ...['micr', 'routing_number', 'nickname', 'status_code', 'adverse_status', 'channel_opened', 'closed_reason'],
    ...['charge_off', 'payment_frequency', 'payment_method', 'loan_term'],
  ],
  date: [
    ...['opened_date', 'closed_date', 'credit_card_activation', 'last_mobile_pay_transaction', 'last_transaction_date'],
    ...['payment_due_date', 'in_person_deposit_check_date', 'loan_payoff_date', 'maturity_date'],
    ...['last_debit_card_transaction', 'remote_deposit_last_30_days'],
  ],
  decimal: [
    ...['balance', 'total_amount_last_30_days', 'last_statement_balance', 'last_transaction_amount', 'apy'],
    ...['loan_payment', 'loan_principal', 'last_mobile_pay_amount'],
  ],
  integer: ['number_transactions_last_30_days'],
};
const kinds = Object.entries(specified).flatMap(([kind, names]) => names.map((name): [string, string] => [name, kind]));

describe('the fields of an account', () => {
  test('are those of the specification', () => {
    expect(Object.keys(accountFields).sort()).toEqual(kinds.map(([name]) => name).sort());
  });

  test.each(kinds)('%s takes a %s, and null', (name, kind) => {
    const [sent, kept] = samples[kind]!;
    expect(fieldsOf({ [name]: sent })).toEqual({ [name]: kept });
    expect(fieldsOf({ [name]: null })).toEqual({ [name]: null });
    expect(faults({ account_number: '1', product: checking, [name]: kind === 'text' ? 5 : 'no such value' })).toEqual([
      expect.stringMatching(`^/${name} must be`),
    ]);
  });

  test('keep a decimal to the digit as it is written, as a number or as a string', () => {
    const written = ['12.50', '0.1', '-0.00', '12345678901234567890.123456789', '1e3', '100'];
    for (const balance of written) {
      const record = (value: string) =>
        `{"account_number":"1","product":{"code":"P","type":"loan"},"balance":${value}}`;
      expect(parseText(record(balance)).account?.fields.balance).toBe(balance);
      expect(parseText(record(`"${balance}"`)).account?.fields.balance).toBe(balance);
    }
  });

  test('that nobody knows are ignored', () => {
    expect(fieldsOf({ colour: 'red', journey: { template_id: 'x' } })).toEqual({});
  });
});

describe('a mapping', () => {
  test.each([
    ['a contact', { contact: owner }, { unique_id: 'c1' }],
    ['a contact and a role', { contact: { ...owner, role: 'joint' } }, { unique_id: 'c1', role: 'joint' }],
    ['a role that is cleared', { contact: { ...owner, role: null } }, { unique_id: 'c1', role: null }],
    ['a contact in dotted keys', { 'contact.unique_id': 'c1', 'contact.role': 'x' }, { unique_id: 'c1', role: 'x' }],
    ['a contact and fields that nobody knows', { contact: { ...owner, shoe_size: 9 }, colour: 'red' }, owner],
  ])('is a record of an account number and %s', (_, rest, link) => {
    expect(parse({ account_number: '1', ...rest })).toEqual({ account_number: '1', link, account: undefined });
  });

  test('has nothing else: any other record needs a product', () => {
    const others = [{ nickname: null }, { meta_public: {} }, { 'meta_private.a': 1 }, { product: null }];
    for (const rest of [{}, { contact: { unique_id: '' } }, ...others.map((each) => ({ contact: owner, ...each }))]) {
      expect(faults({ account_number: '1', ...rest })).toEqual([
        '/product code and type are required, unless the record only maps an account to a contact',
      ]);
    }
  });
});

describe('the contact of a record with a product', () => {
  const linkOf = (contact: unknown) => parse({ account_number: '1', product: checking, contact }).link;

  test.each([undefined, null, {}, { unique_id: null }, { unique_id: '' }, { unique_id: ' ', role: 'joint' }])(
    'may be absent, as in %j',
    (contact) => {
      expect(linkOf(contact)).toBeUndefined();
    },
  );

  test('is any text of up to 1,024 bytes, taken byte for byte', () => {
    for (const unique_id of ['C1', ' c1 ', 'a\u0000b', 'é'.repeat(512)])
      expect(linkOf({ unique_id })).toEqual({ unique_id });
    for (const unique_id of ['é'.repeat(513), '\ufffd']) {
      const record = { account_number: '1', product: checking, contact: { unique_id } };
      expect(pathsOf(record)).toEqual(['/contact/unique_id']);
    }
  });
});

describe('a product', () => {
  const productOf = (product: object) => parse({ account_number: '1', product }).account?.product;

  test.each(['checking', 'savings', 'loan', 'lease', 'investment'])('may be of type %s', (type) => {
    expect(productOf({ code: 'P', type })).toEqual({ code: 'P', type });
  });

  test.each(['Checking', 'card', '', null, 1])('is not of type %j', (type) => {
    expect(pathsOf({ account_number: '1', product: { code: 'P', type } })).toEqual(['/product/type']);
  });

  test('has one of the forty classifications, or none', () => {
    expect(standardizedTypes).toHaveLength(40);
    for (const standardized_type of standardizedTypes) {
      expect(productOf({ ...checking, standardized_type })).toMatchObject({ standardized_type });
    }
    expect(productOf(checking)).not.toHaveProperty('standardized_type');
  });

  test.each([null, '', 'Mortgage', 'mortgages', 7])('has no classification %j', (standardized_type) => {
    const record = { account_number: '1', product: { ...checking, standardized_type } };
    expect(pathsOf(record)).toEqual(['/product/standardized_type']);
    const dotted = { account_number: '1', product: checking, 'product.standardized_type': standardized_type };
    expect(pathsOf(dotted)).toEqual(['/product.standardized_type']);
  });
});

test.each<[path: string, message: string, record: unknown]>([
  ['', 'must be an object', 5],
  ['/account_number', 'must not be blank', { account_number: ' ', product: checking }],
  ['/product/code', 'must not be blank', { account_number: '1', product: { ...checking, code: '' } }],
  [
    '/product/type',
    'must be one of checking, savings, loan, lease, investment',
    { account_number: '1', product: { code: 'P', type: 'card' } },
  ],
  [
    '/product/standardized_type',
    'must be one of the listed standardized types; leave it out for "unknown"',
    { account_number: '1', product: { ...checking, standardized_type: 'card' } },
  ],
])('the error of a record at "%s" is: %s', (path, message, record) => {
  expect(faults(record)).toEqual([`${path} ${message}`]);
});

describe('a record that is wrong in many ways', () => {
  test('has every fault named', () => {
    const record = {
      contact: { unique_id: 1, role: 2 },
      product: { type: 'card', standardized_type: null },
      balance: 'plenty',
      opened_date: '2023-02-29',
      number_transactions_last_30_days: 1.5,
      meta_public: [],
    };
    expect(pathsOf(record).sort()).toEqual([
      '/account_number',
      '/balance',
      '/contact/role',
      '/contact/unique_id',
      '/meta_public',
      '/number_transactions_last_30_days',
      '/opened_date',
      '/product/code',
      '/product/standardized_type',
      '/product/type',
    ]);
  });

  test('names what it lacks although another field is wrong', () => {
    expect(pathsOf({ account_number: 1, contact: owner, nickname: 'x' })).toEqual(['/account_number', '/product']);
  });
});
