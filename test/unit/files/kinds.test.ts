import { expect, test } from 'vitest';
import { kinds, typeOf } from '../../../lib/files/kinds.ts';

test.each([
  ['accounts', 'account_number', 'text'],
  ['accounts', 'contact.unique_id', 'text'],
  ['accounts', 'product.name', 'text'],
  ['accounts', 'product.type', 'word'],
  ['accounts', 'balance', 'decimal'],
  ['accounts', 'opened_date', 'date'],
  ['accounts', 'number_transactions_last_30_days', 'integer'],
  ['accounts', 'meta_public', 'object'],
  ['accounts', 'meta_public.car.make', 'text'],
  ['accounts', 'email', undefined],
  ['contacts', 'unique_id', 'text'],
  ['contacts', 'phone_home', 'text'],
  ['contacts', 'birthdate', 'date'],
  ['contacts', 'journey.template_id', 'word'],
  ['contacts', 'unsubscribe_sms', 'flag'],
] as const)('of %s, %s is read as %s', (kind, field, type) => {
  expect(typeOf(kind, field)).toBe(type);
});

test('every field of a record has a type', () => {
  expect([kinds.accounts.types.size, kinds.contacts.types.size]).toEqual([41, 29]);
});
