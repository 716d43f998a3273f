import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dateReasons } from '../../bin/warnings/dates.ts';
import { templateWith } from '../support/content-documents.ts';
import { warningsOf } from '../support/content-warnings.ts';

// On a later day, these dates would be past, which is another warning.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 9, 1) }));
afterEach(() => void vi.useRealTimers());

// 24 November 2026 is a Tuesday.
test.each<[text: string, language: string | null, said: string]>([
  ['Until Monday, 24 November 2026', 'en', '`Monday, 24 November 2026`, but this day is a Tuesday'],
  ['Monday the 24th of November 2026', 'en', '`Monday the 24th of November 2026`'],
  ['MONDAY, 24 NOVEMBER 2026', 'en', 'is a Tuesday'],
  ['Am Montag, den 24. November 2026', 'de', '`Montag, den 24. November 2026`'],
  ['v pondělí 24. listopadu 2026', 'cs', '`pondělí 24. listopadu 2026`'],
  ['el lunes 24 de noviembre de 2026', 'es', '`lunes 24 de noviembre de 2026`'],
  ['lundi 24 novembre 2026', 'fr', '`lundi 24 novembre 2026`'],
  ['dimanche 1er novembre 2025', 'fr', 'is a Saturday'],
  ['الاثنين ٢٤ نوفمبر ٢٠٢٦', 'ar', 'is a Tuesday'],
  ['دوشنبه ۲۴ نوامبر ۲۰۲۶', 'fa', 'is a Tuesday'],
  ['am Montag, 24. November 2026', null, 'is a Tuesday'],
  ['maanantai 24. marraskuuta 2026', 'fi', 'is a Tuesday'],
])('%j has another weekday', (text, language, said) => {
  expect(dateReasons(text, language)).toEqual([expect.stringContaining(said)]);
});

test.each<[text: string, language: string | null, written: string]>([
  ['June 31, 2026', 'en', 'June 31, 2026'],
  ['Apply by June 31 in any branch', 'en', 'June 31'],
  ['By the 31st of November', 'en', '31st of November'],
  ['30 February', 'en', '30 February'],
  ['Offer of 30.02.2026', 'en', '30.02.2026'],
  ['02/30/2026', 'en', '02/30/2026'],
  ['2026-02-30', null, '2026-02-30'],
  ['do 31. června 2026', 'cs', '31. června 2026'],
  ['31. 6. 2026', 'cs', '31. 6. 2026'],
  ['el 31 de junio', 'es', '31 de junio'],
  ['٣١ يونيو', 'ar', '31 يونيو'],
  ['le 31 juin', null, '31 juin'],
])('%j does not exist', (text, language, written) => {
  expect(dateReasons(text, language)).toEqual([`has \`${written}\`, a day that does not exist: check the date`]);
});

test.each<[text: string, language: string | null]>([
  ['Tuesday, 24 November 2026', 'en'],
  ['Tuesday, November 24, 2026 and Wednesday, November 25, 2026', 'en'],
  ['Samstag, 28.11.2026, oder Sonnabend, 28. November 2026', 'de'],
  ['ve středu 25. listopadu 2026 a v sobotu 28. 11. 2026', 'cs'],
  ['الثلاثاء، ٢٤ نوفمبر ٢٠٢٦', 'ar'],
  // The year is not known.
  ['Monday, 24 November', 'en'],
  // Both orders of numbers are read.
  ['Thursday, 3/12/2026', 'en'],
  ['Open Monday to Friday, 1 December 2026 to 31 January 2027', 'en'],
  ['Mondays 24 November 2026', 'en'],
  ['Montag, 24. November 2026', 'en'],
  ['29 February, 29 February 2028, 31 May, 30 June', 'en'],
  ['May 31 June 30', 'en'],
  ['In April 31 branches open', 'en'],
  ['Since last June 31 branches are open', 'en'],
  ['Save €31 June to August, or 4.31 June', 'en'],
  ['Account 30.02.2026.1, 99.99.2026, 31/04/26, 1031 June, 30.02.2199', 'en'],
  ['Version 2026-02-30-1 of https://bank.example/2026-02-30', 'en'],
  ['June 3100, June 31% and June 31,500', 'en'],
  ['{{meta_public.day}} June 2026', 'en'],
  ['October 5, November 3, December 0', 'en'],
  ['In December 32 branches are open', 'en'],
  ['From 1 December 50 branches are open. December 50, 2026', 'en'],
  ['Wir sind bis 18.15. 2026 da', 'de'],
  ['Version 14.13.2026, no. 31/13/2026, #2026-13-01, Form 2026-13-01', 'en'],
  ['2026-45-12, 2026-00-01, 12.00.2026, 45/12/2026', 'en'],
])('%j has no such date', (text, language) => {
  expect(dateReasons(text, language)).toEqual([]);
});

test('texts and translations of a template are checked in their language', () => {
  const page = { completion_condition: 'view', content_blocks: [{ type: 'text', data: { body: 'Bis 31. Juni' } }] };
  const translations = { cs: { 'Bis 31. Juni': 'Do 31. června' } };
  expect(warningsOf(templateWith(page, { language: 'de', translations }))).toEqual([
    '/templates/0/template_pages/0/page/content_blocks/0/data/body has `31. Juni`, a day that does not exist: check the date',
    '/templates/0/translations/cs/Bis 31. Juni has `31. června`, a day that does not exist: check the date',
  ]);
});

test('a text that is not for people is not checked', () => {
  const cta = { text: 'A', url: 'https://bank.example/a?until=30.02.2026' };
  const action = { completion_condition: 'action', cta };
  expect(warningsOf(templateWith(action, { language: 'de' })).join()).not.toContain('does not exist');
});

test('a date on which something ended is a warning, and no other date in the past', () => {
  const text = (body: string, language = 'en') =>
    warningsOf(
      templateWith({ completion_condition: 'view', content_blocks: [{ type: 'text', data: { body } }] }, { language }),
    );
  expect(text('Good until June 30, 2024.')).toEqual([expect.stringMatching(/has `June 30, 2024`, which is past/)]);
  expect(text('Gültig bis 30.06.2024', 'de')).toEqual([expect.stringMatching(/which is past/)]);
  expect(text('Good until June 30, 2124. Since June 30, 2024.')).toEqual([]);
});
