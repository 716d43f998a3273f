import { expect, test } from 'vitest';
import { namesAccount, namesIn, textsIn } from '../../../lib/domain/journeys/placeholders.ts';

const variables = { member: 'contact.name_first', greeting: 'Good day' };

test('only a name of an account names the account', () => {
  const others = { nick: 'account.nickname', account: 'name_first' };
  expect(namesAccount(['{{nick}}'], others)).toBe(true);
  expect(namesAccount(['{{name_first}} {{account}} {{my.account.nickname}}', 'account.nickname'], others)).toBe(false);
});

test('texts are found at any depth, and nothing else is a text', () => {
  expect(textsIn({ a: 'x', b: [1, null, true, 'y', { c: ['z'] }], d: undefined })).toEqual(['x', 'y', 'z']);
  for (const value of [5, null, undefined, true, {}, []]) expect(textsIn(value)).toEqual([]);
});

test('the placeholders of a text are named with their values and fallbacks', () => {
  expect(namesIn('{{ member | you }} {{greeting}} {{city|}} {{|x}}', variables)).toEqual([
    { written: 'member', name: 'contact.name_first', fallback: 'you' },
    { written: 'greeting', name: undefined, fallback: undefined },
    { written: 'city', name: 'city', fallback: '' },
    { written: '', name: '', fallback: 'x' },
  ]);
});
