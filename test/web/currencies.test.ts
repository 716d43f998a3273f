import { expect, test } from 'vitest';
import { currencyDifferences, percentDifferences } from '../../lib/web/warnings/currencies.ts';
import { warningsOf } from '../support/content-warnings.ts';

test.each([
  ['You get $100.', 'Sie erhalten 100 €.', '€ in place of $'],
  ['Up to CZK 120,000', 'Až 120 000 €', '€ in place of CZK'],
  ['Up to 120 000 Kč', 'Up to £120,000', '£ in place of Kč'],
  ['$5 or $10', '5 EUR oder 10 EUR', 'EUR in place of $'],
])('the currency of a translation is another: %j and %j', (text, translation, said) => {
  expect(currencyDifferences(text, translation)).toEqual([`has another currency than the text: ${said}`]);
});

test.each([
  ['Up to CZK 120,000', 'Až 120 000 Kč'],
  ['$100', '100 USD'],
  ['US$100', '100 $'],
  ['€100', 'EUR 100'],
  ['100 GBP', '£100'],
  ['$100', '100 dólares'],
  ['C$100', '100 €'],
  ['€100', '100 € (2 500 Kč)'],
  ['Open a EUR account', 'Open a USD account'],
])('the currency of a translation is the same: %j and %j', (text, translation) => {
  expect(currencyDifferences(text, translation)).toEqual([]);
  expect(currencyDifferences(translation, text)).toEqual([]);
});

test.each([
  ['A rate of 3.5% a year', 'Úrok 3,5 ročně', '3.5%'],
  ['A rate of 5%', 'Ein Zins von 5', '5%'],
])('the sign of a percentage is lost: %j and %j', (text, translation, said) => {
  expect(percentDifferences(text, translation)).toEqual([`has a number without the % of the text: ${said}`]);
});

test.each([
  ['A rate of 3.5%', 'Úrok 3,5 procenta'],
  ['A rate of 5%', 'Ставка 5 процентов'],
  ['A rate of 5%', 'Oran yüzde 5'],
  ['A rate of 5%', 'معدل ٥٪'],
  ['A 50% discount', 'Zum halben Preis'],
  ['5 accounts', '5 Konten'],
])('the sign of a percentage is not lost: %j and %j', (text, translation) => {
  expect(percentDifferences(text, translation)).toEqual([]);
});

test('a translation has one warning of its amount, currency or percentage', () => {
  const texts = {
    'You get $100.': 'Sie erhalten 200 €.',
    'You pay $30.': 'Sie zahlen 30 €.',
    'For 5% a year.': 'Für 5 im Jahr.',
    'By December 31, 2026.': 'Bis zum 31. Oktober 2026.',
  };
  const content_blocks = Object.keys(texts).map((body) => ({ type: 'text', data: { body } }));
  const template_pages = [{ page: { completion_condition: 'view', content_blocks } }];
  const at = '/templates/0/translations/de/';
  expect(warningsOf({ templates: [{ translations: { de: texts }, template_pages }] })).toEqual([
    `${at}You get $100. has another amount than the text: 200 € in place of $100`,
    `${at}You pay $30. has another currency than the text: € in place of $`,
    `${at}For 5% a year. has a number without the % of the text: 5%`,
    `${at}By December 31, 2026. has another month than the text: Oktober in place of December`,
  ]);
});
