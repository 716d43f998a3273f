import { expect, test } from 'vitest';
import { monthDifferences } from '../../lib/web/warnings/months.ts';

test.each([
  ['By December 31, 2026', 'Do 31. října 2026', 'cs', 'října in place of December'],
  ['Since October 2026', 'Od prosinec 2026', 'cs', 'prosinec in place of October'],
  ['By 31 December 2026', 'Hasta el 31 de octubre de 2026', 'es', 'octubre in place of December'],
  ['By December 31, 2026', 'قبل ٣١ أكتوبر ٢٠٢٦', 'ar', 'أكتوبر in place of December'],
])('the month of a translation is another: %j and %j', (text, translation, language, said) => {
  expect(monthDifferences(text, translation, null, language)).toEqual([`has another month than the text: ${said}`]);
});

test.each([
  ['By December 31, 2026', 'Do 31. prosince 2026', 'cs'],
  ['Since May 2026', 'Od května 2026', 'cs'],
  ['By May 31, 2026', 'Bis zum 31. Mai 2026', 'de'],
  ['By December 31, 2026', 'Hasta el 31 de diciembre de 2026', 'es'],
  ['By December 31, 2026', 'قبل ٣١ ديسمبر ٢٠٢٦', 'ar'],
  ['By December 31', 'Do 31.10.', 'cs'],
  ['From May 1 to June 30', 'Od 1. května do 30. října', 'cs'],
  ['You may 5 times', 'Sie dürfen im Oktober 2026', 'de'],
  ['In 12 months', 'V říjnu', 'cs'],
  ['By December 31', '10月31日まで', 'ja'],
])('the month of a translation is the same, or not known: %j and %j', (text, translation, language) => {
  expect(monthDifferences(text, translation, 'en', language)).toEqual([]);
});
