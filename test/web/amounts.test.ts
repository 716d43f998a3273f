import { describe, expect, test } from 'vitest';
import { amountDifferences } from '../../lib/web/warnings/amounts.ts';
import { warningsOf } from '../support/content-warnings.ts';

describe('the amount of a translation is the same:', () => {
  test.each([
    ['You pay $31,400 a year.', 'Sie zahlen 31.400 $ im Jahr.'],
    ['You pay $31,400 a year.', 'Vous payez 31 400 $ par an.'],
    ['You pay $31,400 a year.', 'Vous payez 31\u202f400\u00a0$ par an.'],
    ['You pay $31,400 a year.', 'تدفعون ٣١٬٤٠٠ $ في السنة.'],
    ['You pay $31,400.50.', 'Sie zahlen 31’400.50 $.'],
    ['You pay $31,400.50.', 'Sie zahlen 31.400,5 $.'],
    ['A rate of 1.5 %.', 'Ein Zins von 1,50 %.'],
    ['A rate of 1.5%.', 'معدل ١٫٥٪.'],
    ['€10.00 for you', '10 € für Sie'],
    ['€1.5 million', '1.500.000 €'],
    ['5% in 2026', 'In 2026 5 %'],
    ['From 3–5 % a year', '3 % bis 5 % im Jahr'],
    ['$10-20 a month', '10-20 $ im Monat'],
    ['Save 50% or $20', 'Sparen Sie $20 oder 50 %'],
    ['Open from 9 am to 5 pm', 'Von 9 bis 17 Uhr'],
    ['Until 3/12/2026', 'Bis 12.3.2026'],
    ['Within 2 days', 'Innerhalb von zwei Tagen'],
    ['A 50% discount', 'Zum halben Preis'],
    ['½ % a year', '0,5 % im Jahr'],
    ['{{meta_public.a1}} % of $5', '5 $, davon {{meta_public.a1}} %'],
    ['Two for $1', 'Zwei für einen Dollar, ab 2 Stück'],
    ['No number', 'Keine Zahl'],
  ])('%j and %j', (text, translation) => {
    expect(amountDifferences(text, translation)).toEqual([]);
    expect(amountDifferences(translation, text)).toEqual([]);
  });
});

describe('the amount of a translation is another:', () => {
  test.each([
    ['You pay $31,400 a year.', 'Sie zahlen 31.500 $ im Jahr.', '31.500 $ in place of $31,400'],
    ['A rate of 1.5 %.', 'Ein Zins von 1,6 %.', '1,6 % in place of 1.5 %'],
    ['A rate of 1.5%.', 'معدل ١٫٦٪.', '1.6% in place of 1.5%'],
    ['5% of $200', '5 % von 210 $', '210 $ in place of $200'],
  ])('%j and %j', (text, translation, said) => {
    expect(amountDifferences(text, translation)).toEqual([`has another amount than the text: ${said}`]);
  });
});

test('the warning names the translation', () => {
  const text = 'You pay $31,400.';
  const block = { type: 'text', data: { body: text } };
  const template = {
    translations: { de: { [text]: 'Sie zahlen 31.500 $.' } },
    template_pages: [{ order: 1, page: { completion_condition: 'view', content_blocks: [block] } }],
  };
  expect(warningsOf({ templates: [template] })).toEqual([
    `/templates/0/translations/de/${text} has another amount than the text: 31.500 $ in place of $31,400`,
  ]);
});
