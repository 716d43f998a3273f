import { describe, expect, test } from 'vitest';
import { numberDifferences } from '../../lib/web/warnings/numbers.ts';
import { warningsOf } from '../support/content-warnings.ts';

describe('the number of a translation is the same:', () => {
  test.each([
    ['Open for 10 years', 'Seit 10 Jahren offen'],
    ['Within 30 days', 'خلال ٣٠ يومًا'],
    ['12,000 machines', '12.000 Automaten'],
    ['12,000 machines', '12 000 automates'],
    ['12000 machines', '12’000 Automaten'],
    ['Ten days', '10 Tage'],
    ['Within 30 days', 'Innerhalb eines Monats'],
    ['We save 3 of 4', 'Wir sparen 5'],
    ['By 06/30/2026', 'Bis 30.06.2026'],
    ['By 6/30/26', 'Bis zum 30. Juni 2026'],
    ['By 2026-12-31', 'Do 31.12.2026'],
    ['By December 31, 2026', 'Hasta el 31 de diciembre de 2026'],
    ['By 12/31/2026', 'Bis zum 31. Dezember 2026'],
    ['By 12/31', 'Bis 31.12.'],
    ['By 12/31/2026, or call 10 AM to 6 PM', 'قبل ٣١ ديسمبر ٢٠٢٦ أو اتصل من ١٠ صباحًا إلى ٦ مساءً'],
    ['By 12/31/2026 for 18 months', 'Bis zum 31. Dezember 2026 für 18 Monate'],
    ['1.5 million people', '1 500 000 personnes'],
    ['Mon–Fri 9–17, Sat 10–14', 'Mo–Fr 9 a.m. to 5 p.m., Sat 10 a.m. to 2 p.m.'],
    ['Until 10 PM', 'Bis 22 Uhr'],
    ['From 10:30 am to 11 p.m.', 'De 10:30 a 23:00'],
    ['On weekdays from 8 to 18.', 'De 8 a 18 los días laborables.'],
    ['Call +1 555 010 0199', 'Llame al +34 911 222 333'],
    ['Call 555-010-0199', 'Llame al +34 911 222 333'],
    ['{{meta_public.a10}} of 20', '20 {{meta_public.a12}}'],
    ['You pay $31,400 for 12 months', 'Sie zahlen 31.400 $ in 12 Monaten'],
    ['18 months', '1,5 Jahre'],
    ['24/7', 'Rund um die Uhr'],
  ])('%j and %j', (text, translation) => {
    expect(numberDifferences(text, translation)).toEqual([]);
    expect(numberDifferences(translation, text)).toEqual([]);
  });
});

describe('the number of a translation is another:', () => {
  test.each([
    ['Within 30 days', 'Innerhalb von 13 Tagen', '13 in place of 30'],
    ['Within 30 days', 'خلال ٣١ يومًا', '31 in place of 30'],
    ['12,000 machines', '1.200 Automaten', '1.200 in place of 12,000'],
    ['Within 10 days', 'Innerhalb von 100 Tagen', '100 in place of 10'],
    ['By 06/30/2026', 'Bis 31.06.2026', '31.06.2026 in place of 06/30/2026'],
    ['By 06/30/2026', 'Bis 30.05.2026', '30.05.2026 in place of 06/30/2026'],
    ['By 06/30/2026', 'Bis 30.06.2027', '30.06.2027 in place of 06/30/2026'],
    ['By 06/30/2026', 'Bis zum 30. Juni 2025', '2025 in place of 06/30/2026'],
    ['By June 30, 2026', 'Hasta el 20 de junio de 2026', '20 in place of 30'],
    ['You pay $31,400 for 12 months', 'Sie zahlen 31.400 $ in 24 Monaten', '24 in place of 12'],
  ])('%j and %j', (text, translation, said) => {
    expect(numberDifferences(text, translation)).toEqual([`has another number than the text: ${said}`]);
  });
});

test('the warning names the translation, once for an amount', () => {
  const texts = { 'For 30 days.': 'Für 13 Tage.', 'You pay $30.': 'Sie zahlen 13 $.' };
  const content_blocks = Object.keys(texts).map((body) => ({ type: 'text', data: { body } }));
  const template_pages = [{ order: 1, page: { completion_condition: 'view', content_blocks } }];
  expect(warningsOf({ templates: [{ translations: { de: texts }, template_pages }] })).toEqual([
    '/templates/0/translations/de/For 30 days. has another number than the text: 13 in place of 30',
    '/templates/0/translations/de/You pay $30. has another amount than the text: 13 $ in place of $30',
  ]);
});
