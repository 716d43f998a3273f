import { describe, expect, test } from 'vitest';
import type { Account } from '../../../lib/domain/accounts/account.ts';
import {
  accountStep,
  type ImportData,
  isAccount,
  isLink,
  isSameData,
  linkStep,
} from '../../../lib/domain/imports/import-item.ts';

const account: Account = { fields: { nickname: 'n' }, product_code: 'P', meta_public: null, meta_private: null };
const link = { role: 'joint' };
const product = { code: 'P', type: 'loan' } as const;

test.each<[string, ImportData, ImportData, boolean]>([
  ['equal links', link, { role: 'joint' }, true],
  ['links of other roles', link, { role: null }, false],
  ['equal accounts', account, { ...account }, true],
  ['accounts that differ', account, { ...account, product_code: 'Q' }, false],
  ['a link and an account', link, account, false],
])('%s are the same: %s', (_, a, b, same) => {
  expect([isSameData(a, b), isSameData(b, a)]).toEqual([same, same]);
});

test.each<[ImportData | undefined, boolean, boolean]>([
  [account, true, false],
  [link, false, true],
  [undefined, false, false],
])('%j is an account: %s, a link: %s', (data, isOne, isOther) => {
  expect([isAccount(data), isLink(data)]).toEqual([isOne, isOther]);
});

describe('a record', () => {
  test('merges into the stored account', () => {
    const step = accountStep({ fields: { balance: '1' }, product });
    expect(step(account)).toEqual({ data: { ...account, fields: { nickname: 'n', balance: '1' } } });
    expect(step(undefined)).toEqual({ data: { ...account, fields: { balance: '1' } } });
    expect(step(link)).toEqual(step(undefined));
  });

  test('is rejected if the merged account is too large', () => {
    const large = (key: string) => ({ [key]: { [key]: 'x'.repeat(9_000) } });
    const step = accountStep({ fields: {}, product, meta_public: large('a') });
    expect(step({ ...account, meta_public: large('b').b! })).toEqual({ rejected: true });
  });

  test.each<[sent: string | null | undefined, stored: ImportData | undefined, role: string | null]>([
    ['primary', link, 'primary'],
    [null, link, null],
    [undefined, link, 'joint'],
    [undefined, undefined, null],
    [undefined, account, null],
  ])('with role %s changes the link %j to role %s', (sent, stored, role) => {
    expect(linkStep(sent)(stored)).toEqual({ data: { role } });
  });
});
