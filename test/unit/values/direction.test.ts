import { describe, expect, test } from 'vitest';
import { fill, noValues, type Values } from '../../../lib/domain/journeys/placeholders.ts';
import { directionOf, isolated } from '../../../lib/domain/values/direction.ts';

describe('a value inside a text', () => {
  test.each([
    ['$31,400', 'rtl', '\u2068$31,400\u2069'],
    ['أحمد', 'rtl', '\u2068أحمد\u2069'],
    ['أحمد', 'ltr', '\u2068أحمد\u2069'],
    ['שרה Lee', 'ltr', '\u2068שרה Lee\u2069'],
    ['Jana Novotná', 'ltr', 'Jana Novotná'],
    ['$31,400', 'ltr', '$31,400'],
    ['', 'rtl', ''],
    [' \n', 'rtl', ' \n'],
    ['7', 'rtl', '\u20687\u2069'],
    ['Main Street 1\nPisek', 'rtl', '\u2068Main Street 1\u2069\n\u2068Pisek\u2069'],
  ] as const)('%j in a text that is %s', (value, direction, expected) => {
    expect(isolated(value, direction)).toBe(expected);
  });
});

test.each([
  ['Ann', 'ltr'],
  ['1. أحمد Lee', 'rtl'],
  ['«Lee» أحمد', 'ltr'],
  ['$31,400', undefined],
  ['', undefined],
])('the direction of %j is that of its first letter: %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});

describe('a placeholder on a page', () => {
  const contact = {
    name_first: 'Ann',
    name_last: 'Lee',
    meta_public: { rate: '-2.5 %' },
  } as unknown as Values['contact'];
  const values: Values = { ...noValues, contact, teamName: 'مصرف' };

  test.each([
    ['السعر {{meta_public.rate}}.', 'rtl', 'السعر \u2068-2.5 %\u2069.'],
    ['{{name_first}} {{name_last}}، {{meta_public.rate}}', 'rtl', '\u2068Ann Lee\u2069، \u2068-2.5 %\u2069'],
    ['{{name_first}} \u00a0 {{name_last}}', 'rtl', '\u2068Ann \u00a0 Lee\u2069'],
    ['{{name_middle}} {{phone_home}}', 'rtl', '\u2068 •••\u2069'],
    ['{{name_middle}} {{name_suffix}}', 'rtl', ' '],
    ['{{name_first}} of {{team.name}}', 'ltr', 'Ann of \u2068مصرف\u2069'],
    ['{{name_first}} of {{team.name}}', 'rtl', 'Ann of \u2068مصرف\u2069'],
    ['عزيزي {{name_first}}', 'ltr', 'عزيزي \u2068Ann\u2069'],
    ['{{name_first}}: 5', 'rtl', '\u2068Ann\u2069: 5'],
    ['{{name_first}} of {{team.name}}', undefined, 'Ann of مصرف'],
  ] as const)('%j with the direction %s', (text, direction, expected) => {
    expect(fill(text, { ...values, direction })).toBe(expected);
  });
});
