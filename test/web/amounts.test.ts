import { describe, expect, test } from 'vitest';
import { amountDifferences } from '../../bin/warnings/dates.ts';
import { warningsOf } from '../support/content-warnings.ts';

describe('the amount of a translation is the same:', () => {
  test.each([
    ['You pay $31,400 a year.', 'Sie zahlen 31.400 $ im Jahr.'],
    ['You pay $31,400 a year.', 'Vous payez 31\u202f400\u00a0$ par an.'],
    ['You pay $31,400 a year.', 'تدفعون ٣١٬٤٠٠ $ في السنة.'],
    ['You pay $31,400.50.', 'Sie zahlen 31’400.50 $.'],
    ['A rate of 1.5 %.', 'Ein Zins von 1,50 %.'],
    ['A rate of 1.5%.', 'معدل ١٫٥٪.'],
    ['€1.5 million', '1.500.000 €'],
    ['5% in 2026', 'In 2026 5 %'],
    ['From 3–5 % a year', '3 % bis 5 % im Jahr'],
    ['$10-20 a month', '10-20 $ im Monat'],
    ['Save 50% or $20', 'Sparen Sie $20 oder 50 %'],
    ['Until 3/12/2026', 'Bis 12.3.2026'],
    ['A 50% discount', 'Zum halben Preis'],
    ['½ % a year', '0,5 % im Jahr'],
    ['{{meta_public.a1}} % of $5', '5 $, davon {{meta_public.a1}} %'],
    ['Two for $1', 'Zwei für einen Dollar, ab 2 Stück'],
    ['You get $1,000.', 'Sie erhalten 1000 $.'],
    ['You pay $0.50.', 'Sie zahlen 50 ¢.'],
    ['₹1,00,000 for you', '₹100,000 für Sie'],
    ['$2k a year', '2.000 $ im Jahr'],
    ['A rate of 3.375%', 'Ein Zins von 3,375 %'],
    ['12.000 %', '12%'],
    ['A rate of 3.5%.', 'معدل ٣٫٥ في المئة.'],
    ['5 percent a year', 'Fünf Prozent im Jahr'],
    ['Up to $20, then 20 times $2', 'Bis 20 $, dann 20-mal 2 $'],
  ])('%j and %j', (text, translation) => {
    expect(amountDifferences(text, translation)).toEqual([]);
    expect(amountDifferences(translation, text)).toEqual([]);
  });
});

describe('the amount of a translation is another:', () => {
  test.each([
    ['You pay $31,400 a year.', 'Sie zahlen 31.500 $ im Jahr.', '31.500 $ in place of $31,400'],
    ['A rate of 1.5 %.', 'Ein Zins von 1,6 %.', '1,6 % in place of 1.5 %'],
    ['Up to €100,000.', 'Bis 1.000.000 €.', '1.000.000 € in place of €100,000'],
    ['Up to €100.00.', 'Bis 10,00 €.', '10,00 € in place of €100.00'],
    ['You get $1,000.', 'تحصلون على ١٠٬٠٠٠ $.', '10,000 $ in place of $1,000'],
    ['A rate of 1.5 %.', 'Ein Zins von 15 %.', '15 % in place of 1.5 %'],
    ['A rate of 3.5%.', 'Ein Zins von 5,3 Prozent.', '5,3 Prozent in place of 3.5%'],
    ['A rate of 3.5 percent.', 'Un tipo del 5,3 por ciento.', '5,3 por ciento in place of 3.5 percent'],
    ['A rate of 3.5%.', 'Un taux de 5,3 pour cent.', '5,3 pour cent in place of 3.5%'],
    ['A rate of 3.5%.', 'Úrok 5,3 procenta.', '5,3 procenta in place of 3.5%'],
    ['A rate of 3.5%.', 'معدل ٥٫٣ في المئة.', '5.3 في المئة in place of 3.5%'],
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
