import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { accountFieldNames } from '../../../lib/domain/accounts/account-field-table.ts';
import { accountFields, standardizedTypes } from '../../../lib/domain/accounts/account-fields.ts';
import { accountConditions, accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { type JsonValue, parseJson } from '../../../lib/domain/values/json.ts';
import { mergeMetadata } from '../../../lib/domain/values/metadata.ts';
import { pointer } from '../../../lib/domain/values/problem.ts';

const checking = { code: 'FREE', type: 'checking' };
const owner = { unique_id: 'c1' };

const parse = (record: unknown) => accountRecord.parse(record);
const parseText = (text: string) => accountRecord.parse(parseJson(text));
const faults = (record: unknown) =>
  accountRecord.safeParse(record).error?.issues.map(({ path, message }) => `${pointer(path)} ${message}`) ?? [];
const pathsOf = (record: unknown) =>
  accountRecord.safeParse(record).error?.issues.map(({ path }) => pointer(path)) ?? [];

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

describe('dotted keys', () => {
  test('are the same as nested ones', () => {
    const nested = {
      account_number: '1',
      contact: { unique_id: 'c1', role: 'joint' },
      product: { code: 'P', type: 'savings', standardized_type: 'cd', name: 'N', description: 'D' },
      meta_public: { car: { make: 'M' } },
    };
    const dotted = {
      account_number: '1',
      'contact.unique_id': 'c1',
      'contact.role': 'joint',
      'product.code': 'P',
      'product.type': 'savings',
      'product.standardized_type': 'cd',
      'product.name': 'N',
      'product.description': 'D',
      'meta_public.car.make': 'M',
    };
    expect(parse(dotted)).toEqual(parse(nested));
  });

  test('may stand beside nested ones of other fields', () => {
    const record = parse({
      'contact.role': 'joint',
      'product.name': 'N',
      account_number: '1',
      contact: { unique_id: 'c1' },
      product: checking,
      meta_public: { a: 1 },
      'meta_public.b': 2,
    });
    expect(record.link).toEqual({ unique_id: 'c1', role: 'joint' });
    expect(record.account?.product).toEqual({ ...checking, name: 'N' });
    expect(record.account?.meta_public).toEqual({ a: { a: 1 }, b: { b: 2 } });
  });

  test('beside the nested form of the same field are ambiguous, and the other faults are named, too', () => {
    const record = {
      account_number: '1',
      contact: { unique_id: 'c1', role: 'a' },
      'contact.role': 'b',
      product: checking,
      'product.code': 'Q',
      meta_public: { a: 1, b: { c: { d: 1 } }, 'x.y': 1 },
      'meta_public.a': 2,
      'meta_public.b.c.d': 2,
      'meta_public.x.y': 2,
      'meta_public.b.d': 2,
      'meta_public.a.c': 2,
      balance: 'plenty',
    };
    const ambiguous = 'is sent both as a dotted key and inside the object: send only one of them';
    expect(faults(record)).toContain(`/contact.role ${ambiguous}`);
    expect(pathsOf(record).sort()).toEqual([
      '/balance',
      '/contact.role',
      '/meta_public.a',
      '/meta_public.b.c.d',
      '/meta_public.x.y',
      '/product.code',
    ]);
  });

  test('are one segment of the path of a fault, and so is what stands beside them and is missing', () => {
    const record = { account_number: 1, 'contact.unique_id': 1, 'product.type': 'card', 'meta_public.a~/b': '\ud800' };
    expect(pathsOf(record).sort()).toEqual([
      '/account_number',
      '/contact.unique_id',
      '/meta_public.a~0~1b',
      '/product.code',
      '/product.type',
    ]);
    expect(pathsOf({ account_number: '1', product: { code: 'P' }, 'product.name': 1 }).sort()).toEqual([
      '/product.name',
      '/product/type',
    ]);
  });

  test('of other fields are unknown', () => {
    expect(pathsOf({ 'account_number.a': 1, product: checking })).toEqual(['/account_number']);
    const others = { 'nickname.a': 'x', '.contact': 1, meta_publics: 5 };
    const { account } = parse({ account_number: '1', product: checking, ...others });
    expect([account?.fields, account?.meta_public]).toEqual([{}, undefined]);
  });

  test('fill in what is null, and do not hide what is no object', () => {
    expect(parse({ account_number: '1', contact: null, 'contact.unique_id': 'c1' }).link).toEqual(owner);
    const { account } = parse({ account_number: '1', product: checking, meta_public: null, 'meta_public.a': 1 });
    const merged = [{ b: 1 }, null].map((stored) => mergeMetadata(stored, account!.meta_public!));
    expect(merged).toEqual([{ a: 1 }, { a: 1 }]);
    const wrong = { account_number: '1', contact: 'c1', 'contact.role': 'x', product: checking };
    expect(faults(wrong)).toEqual(['/contact must be an object']);
  });
});

describe('keys', () => {
  test.each([
    ['account_number', (key: unknown) => ({ account_number: key, product: checking }), '/account_number'],
    ['product.code', (code: unknown) => ({ account_number: '1', product: { ...checking, code } }), '/product/code'],
  ])('%s is a text of 1 to 512 bytes that is not blank', (_, record, path) => {
    for (const key of ['1', ' 1', '#', 'x'.repeat(512), 'é'.repeat(256)]) expect(faults(record(key))).toEqual([]);
    const texts = ['', ' ', '\t\u00a0', 'a\ufffdb', 'a\u0092', 'x'.repeat(513), 'é'.repeat(257)];
    for (const key of [...texts, 1, null, undefined, true, ['1'], {}]) expect(pathsOf(record(key))).toEqual([path]);
  });
});

const isAllowed = new Ajv2020({ strict: false }).compile(accountConditions);

/** The OpenAPI document must say the same as the validation of a record. */
const agreeOn = (fields: object, isValid: boolean) => {
  const record = { account_number: '1', ...fields };
  expect({ inDocument: isAllowed(record), inService: faults(record).length === 0 }).toEqual({
    inDocument: isValid,
    inService: isValid,
  });
};

const product = { code: 'P', type: 'checking', standardized_type: 'cd', name: 'n', description: 'd' };
const contact = { unique_id: 'c', role: 'joint' };
const dotted = { 'product.code': 'P', 'product.type': 'checking' };

describe('the conditions of a record allow', () => {
  test.each<[string, object]>([
    ['a product', { product }],
    ['a product by dotted keys', dotted],
    ['a product and a contact', { product, contact }],
    ['a product and a contact by dotted keys', { ...dotted, 'contact.unique_id': 'c', 'contact.role': 'joint' }],
    ['a product and a contact that is null', { product, contact: null }],
    ['a product and fields', { product, nickname: 'n', meta_public: { a: 1 } }],
    ['a mapping', { contact }],
    ['a mapping by a dotted key', { 'contact.unique_id': 'c' }],
    ['a mapping with unknown fields', { contact, colour: 'red' }],
    ['a dotted key beside other fields of its object', { product, contact: { unique_id: 'c' }, 'contact.role': 'x' }],
  ])('%s', (_, fields) => agreeOn(fields, true));
});

describe('the conditions of a record refuse', () => {
  test.each<[string, object]>([
    ['a record of a number alone', {}],
    ['a contact without unique_id', { contact: { role: 'joint' } }],
    ['a contact that is null', { contact: null }],
    ['a blank unique_id without a product', { contact: { unique_id: ' ' } }],
    ['a blank unique_id as a dotted key without a product', { 'contact.unique_id': ' ' }],
    ['a product code without a type', { 'contact.unique_id': 'c', 'product.code': 'P' }],
    ['a product type without a code', { 'contact.unique_id': 'c', 'product.type': 'loan' }],
    ['a blank product code as a dotted key', { ...dotted, 'product.code': ' ' }],
  ])('%s', (_, fields) => agreeOn(fields, false));

  test.each([...accountFieldNames, 'meta_public', 'meta_private'])('a mapping that also has %s', (name) => {
    agreeOn({ contact, [name]: null }, false);
  });

  test('a mapping that also has a field of a product as a dotted key', () => {
    for (const inner of ['standardized_type', 'name', 'description'] as const) {
      agreeOn({ contact, [`product.${inner}`]: product[inner] }, false);
    }
  });

  const pairs = Object.entries({ product, contact }).flatMap(([head, fields]) =>
    Object.entries(fields).map(([inner, value]) => [`${head}.${inner}`, value]),
  );
  test.each(pairs)('the dotted key %s beside the same field in its object', (name, value) => {
    agreeOn({ product, contact, [name!]: value }, false);
  });
});
