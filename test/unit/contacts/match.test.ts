import { expect, test } from 'vitest';
import { type MatchedField, matcherOf } from '../../../bin/admin/operations/contacts/match.ts';

const person: Partial<Record<MatchedField, string>> = {
  name_first: 'Ana Łucja',
  name_last: 'Nováková-Sørensen',
  email: 'Ana.N@Example.com',
  phone_mobile: '15550100200',
  phone_home: '420777123456',
};
const match = (text: string, values = person) => matcherOf(text)?.((field) => values[field] ?? null);

test.each([
  ['novakova', 'name', 1],
  ['NOVÁKOVÁ-sorensen', 'name', 1],
  ['Novakova, lucja', 'name', 1],
  ['kova', 'name', 2],
  ['ana.n@example.COM', 'email', 0],
  ['@example', 'email', 2],
  ['(555) 010-0200', 'phone', 0],
  ['+1 555 010', 'phone', 2],
  ['00420 777 123 456', 'phone', 0],
  ['0777 123 456', 'phone', 0],
  ['ana', 'name', 1],
  ['novakova 0200', 'phone', 1],
  ['555 010-0200 kova', 'phone', 2],
  ['novakova example.com', 'email', 2],
])('%s matches by %s', (text, by, rank) => {
  expect(match(text)).toEqual({ by, rank });
});

test.each(['novakova petr', 'ana@example.org', '555 999', 'ova5', 'petr 0200', 'ana 0201', 'ana 55'])(
  '%s does not match',
  (text) => {
    expect(match(text)).toBeUndefined();
  },
);

test.each(['', ' ', '…', '555'])('nobody can be found by "%s"', (text) => {
  expect(matcherOf(text)).toBeUndefined();
});
