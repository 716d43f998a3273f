import { expect, test } from 'vitest';
import { listed } from '../../../bin/content/similar.ts';
import { similarTo } from '../../../lib/domain/values/similar.ts';

const names = ['heading', 'customClass', 'text', 'documentLinkUrl', 'key', 'url2', 'documentLinkText'];

test.each([
  ['heading', 'heading'],
  ['HEADING', 'heading'],
  ['custom_class', 'customClass'],
  ['classCustom', 'customClass'],
  ['headnig', 'heading'],
  ['heding', 'heading'],
  ['headding', 'heading'],
  ['heasing', 'heading'],
  ['adinghe', 'heading'],
  ['headings2', 'heading'],
  ['hea', undefined],
  ['headiXYZ', undefined],
  ['documentLinkU', 'documentLinkUrl'],
  ['documentLink', undefined],
  ['documentLinkTxte', 'documentLinkText'],
  ['texxt', 'text'],
  ['txt', 'text'],
  ['tt', undefined],
  ['kez', 'key'],
  ['ke', undefined],
  ['2-url', 'url2'],
  ['something', undefined],
  ['', undefined],
  ['--', undefined],
])('%j was probably meant as %j', (given, meant) => {
  expect(similarTo(given, names)).toBe(meant);
});

test('the nearest name is chosen, and the first of two that are equally near', () => {
  expect(similarTo('bodies', ['bodiesss', 'bodie', 'bodis'])).toBe('bodie');
  expect(similarTo('bodies', ['bodie', 'bodiesss'])).toBe('bodie');
});

test('nothing is similar to a name if there are no names', () => {
  expect(similarTo('heading', [])).toBeUndefined();
});

test.each([
  [[], ''],
  [['a'], '`a`'],
  [['a', 'b'], '`a` and `b`'],
  [['a', 'b', 'c'], '`a`, `b` and `c`'],
])('the names %j in a sentence', (given, sentence) => {
  expect(listed(given)).toBe(sentence);
  expect(listed(given, 'or')).toBe(sentence.replace(' and ', ' or '));
});
