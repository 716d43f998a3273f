import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, isSameAccount, mergeAccount, mergedTooLarge } from '../../../lib/domain/accounts/account.ts';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { serializeAccount } from '../../../lib/store/accounts/accounts.ts';
import { accountIn } from '../../support/samples/stored-account.ts';

const input = (fields: object) =>
  accountRecord.parse({ account_number: '1', product: { code: 'P', type: 'checking' }, ...fields }).account!;

function merged(stored: Account | undefined, fields: object): Account {
  const result = mergeAccount(stored, input(fields));
  if ('rejected' in result) throw new Error(result.rejected);
  return result;
}

/** The account after records sent one after another. */
const accountOf = (...records: object[]): Account => {
  let account: Account | undefined;
  for (const fields of records) account = merged(account, fields);
  return account!;
};

describe('an account', () => {
  test('has the fields that were sent, keeps those that were not, and loses those that were null', () => {
    const account = accountOf(
      { nickname: 'a', micr: '1', balance: '1.50', opened_date: '2024-01-01' },
      { nickname: 'b', micr: null },
    );
    expect(account.fields).toMatchObject({ nickname: 'b', balance: '1.50', opened_date: '2024-01-01' });
    expect(account.fields.micr ?? null).toBeNull();
  });

  test('names the product of the last record', () => {
    expect(accountOf({}, { product: { code: 'Q', type: 'loan' } }).product_code).toBe('Q');
  });

  test.each<[what: string, records: object[], expected: object | null]>([
    ['is null at first', [{}], null],
    ['is flattened', [{ m: { car: { make: 'M' } } }], { 'car.make': 'M' }],
    ['keeps other top-level keys', [{ m: { a: 1, b: 2 } }, { m: { b: 3 } }], { a: 1, b: 3 }],
    ['replaces all under the top-level key that is sent', [{ m: { a: [1, 2, 3] } }, { m: { a: [4] } }], { 'a.0': 4 }],
    ['removes a top-level key that is null', [{ m: { a: { b: 1 }, c: 2 } }, { m: { a: null } }], { c: 2 }],
    ['is cleared by null', [{ m: { a: 1 } }, { m: null }], null],
    ['is null when no keys are left', [{ m: { a: 1 } }, { m: { a: {} } }], null],
    ['stays when it is not sent', [{ m: { a: 1 } }, { nickname: 'x' }], { a: 1 }],
  ])('has metadata that %s', (_, records, expected) => {
    for (const name of ['meta_public', 'meta_private'] as const) {
      const account = accountOf(...records.map((record) => ('m' in record ? { [name]: record.m } : record)));
      expect(account[name]).toEqual(expected);
    }
  });

  test('is the same as another if all fields, the product and all metadata are', () => {
    const sent = { nickname: 'a', balance: '1.50', meta_public: { a: 1, b: 2 }, meta_private: { c: 3 } };
    const account = accountOf(sent);
    expect(isSameAccount(account, accountOf({ ...sent, micr: null, meta_public: { b: 2, a: 1 } }))).toBe(true);
    const others = [
      ...[{ nickname: 'b' }, { balance: '1.5' }, { nickname: null }, { micr: '9' }],
      ...[{ meta_public: { a: 1 } }, { meta_private: { c: 4 } }, { product: { code: 'Q', type: 'loan' } }],
    ];
    for (const other of others) {
      expect(isSameAccount(account, accountOf({ ...sent, ...other }))).toBe(false);
      expect(isSameAccount(accountOf({ ...sent, ...other }), account)).toBe(false);
    }
  });

  test('keeps metadata that is over the limits if it is not changed', () => {
    const stored = { ...accountOf({}), meta_public: { a: 'x'.repeat(20_000) } };
    expect(merged(stored, { nickname: 'n' })).toMatchObject({ fields: { nickname: 'n' } });
    expect(mergeAccount(stored, input({ meta_public: { b: 1 } }))).toEqual({
      rejected:
        'meta_public or meta_private would exceed 1,000 keys or 16 KB after merging with the stored values; the account was not changed',
    });
  });

  test('is not stored when its metadata would grow beyond the limits, and says why', () => {
    const half = (key: string) => ({ [key]: 'x'.repeat(9000) });
    for (const name of ['meta_public', 'meta_private']) {
      const stored = accountOf({ [name]: half('a') });
      expect(mergeAccount(stored, input({ [name]: half('b') }))).toEqual({ rejected: mergedTooLarge });
      expect(mergeAccount(stored, input({ [name]: half('a') }))).not.toHaveProperty('rejected');
    }
    const both = { meta_public: half('a'), meta_private: half('a') };
    expect(mergeAccount(undefined, input(both))).not.toHaveProperty('rejected');
  });
});

const values = fc.record(
  {
    nickname: fc.option(fc.string()),
    balance: fc.option(
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant('1.50')),
    ),
    number_transactions_last_30_days: fc.option(fc.nat()),
    meta_public: fc.option(
      fc.dictionary(fc.constantFrom('a', 'b', '0', '__proto__', 'a.b'), fc.jsonValue({ maxDepth: 2 })),
    ),
    meta_private: fc.option(fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string(), fc.constant(null)))),
  },
  { requiredKeys: [] },
);

describe('the text of an account', () => {
  test('is the same for the same account, whatever was sent in whatever order', () => {
    fc.assert(
      fc.property(values, values, (first, second) => {
        const account = accountOf(first, second);
        const turned = Object.fromEntries(Object.entries(second).reverse());
        expect(serializeAccount(accountOf(first, turned))).toBe(serializeAccount(account));
        // A record that repeats what is stored changes nothing: an unchanged record is told by this.
        expect(serializeAccount(merged(account, second))).toBe(serializeAccount(account));
      }),
    );
  });

  test('gives the account back', () => {
    fc.assert(
      fc.property(values, (fields) => {
        const text = serializeAccount(accountOf(fields));
        expect(serializeAccount(accountIn(text))).toBe(text);
        expect(serializeAccount(merged(accountIn(text), fields))).toBe(text);
      }),
    );
  });

  test('keeps digits that a double does not hold', () => {
    const record =
      '{"account_number":"1","product":{"code":"P","type":"loan"},"balance":0.10,"meta_public":{"n":12345678901234567890}}';
    const stored = serializeAccount(
      mergeAccount(undefined, accountRecord.parse(parseJson(record)).account!) as Account,
    );
    expect(stored).toContain('"balance":"0.10"');
    expect(stored).toContain('"n":12345678901234567890');
    expect(serializeAccount(accountIn(stored))).toBe(stored);
  });

  test('has the fields that are set alone, in one order', () => {
    const [balance, nickname] = [{ balance: '1.50' }, { nickname: 'N' }];
    expect(serializeAccount(accountOf(balance, nickname))).toBe(serializeAccount(accountOf(nickname, balance)));
    expect(serializeAccount(accountOf({ nickname: null, meta_public: {} }))).toBe('{"product_code":"P","fields":{}}');
  });
});
