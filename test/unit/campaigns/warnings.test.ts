import { describe, expect, test } from 'vitest';
import { questionWarnings } from '../../../bin/warnings/blocks.ts';
import { isPlaceholderName, isUrlPlaceholderName, placeholderNames } from '../../../bin/warnings/placeholders.ts';
import { accountFieldNames } from '../../../lib/domain/accounts/account-field-table.ts';
import { flagFields, textFields } from '../../../lib/domain/contacts/contact.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';

test('the names are those of contacts, accounts and products, and three others', () => {
  const products = ['code', 'type', 'standardized_type', 'name', 'description'].map((name) => `product.${name}`);
  expect(placeholderNames).toEqual([
    ...[...textFields, ...flagFields, 'unique_id', 'journey_url', 'team.name', 'template.name'],
    ...['account_number', 'role', ...accountFieldNames, ...products].map((name) => `account.${name}`),
  ]);
});

describe('the name of a placeholder', () => {
  test('has a value if it is one of them', () => {
    expect(placeholderNames.filter((name) => !isPlaceholderName(name))).toEqual([]);
  });

  test.each([
    ...['contact.name_first', 'account.product.id'],
    ...['meta_public.a', 'meta_private.a', 'contact.meta_public.a.b', 'contact.meta_private.a'],
    ...['account.meta_public.a', 'account.meta_private.a b'],
  ])('%s has a value', (name) => {
    expect(isPlaceholderName(name)).toBe(true);
  });

  test('has none if it is not', () => {
    const names = [
      ...['', 'nobody', 'id', 'contact.id', 'contact.team.name', 'role', 'product.name', 'team', 'journey_url.a'],
      ...['account', 'account.', 'account.name_first', 'account.product', 'account.contact.name_first'],
      ...['meta_public', 'meta_public.', 'my.meta_public.a', 'account.my.meta_public.a', 'my.account.nickname'],
    ];
    expect(names.filter(isPlaceholderName)).toEqual([]);
  });

  test.each<[name: string, isPublic: boolean]>([
    ['journey_url', true],
    ['team.name', true],
    ['template.name', true],
    ['meta_public.a', true],
    ['contact.meta_public.a', true],
    ['account.meta_public.a', true],
    ['name_first', false],
    ['contact.name_first', false],
    ['meta_private.a', false],
    ['account.nickname', false],
    ['my.meta_public.a', false],
    ['meta_public.', false],
  ])('%s is filled in in URLs: %s', (name, isPublic) => {
    expect(isUrlPlaceholderName(name)).toBe(isPublic);
  });
});

const apply = 'Which colors do you like? Select all that apply.';
test.each<[what: string, question: { [name: string]: JsonValue }, warns: boolean]>([
  ['asks for several and takes one', { text: apply, options: ['Red', 'Green'] }, true],
  ['asks for several and takes several', { text: apply, options: ['Red', 'Green'], multiple: true }, false],
  ['asks for several in a typed text', { text: apply }, false],
  ['asks for one', { text: 'Which color?', options: ['Red', 'Green'] }, false],
])('a question that %s', (_, question, warns) => {
  const message = 'takes one answer only: write `"multiple": true` if several can apply';
  expect(questionWarnings([question], '/questions')).toEqual(warns ? [{ path: '/questions/0', message }] : []);
});
