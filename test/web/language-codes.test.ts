import { expect, test } from 'vitest';
import { codeFor, languageWarnings } from '../../lib/web/warnings/languages.ts';
import { template, warningsOf } from '../support/content-warnings.ts';

test.each<[code: string, meant: string]>([
  ['cz', 'cs'],
  ['CZ', 'cs'],
  ['ua', 'uk'],
  ['gr', 'el'],
  ['jp', 'ja'],
  ['dk', 'da'],
  ['cn', 'zh'],
  ['vn', 'vi'],
  ['us', 'en'],
  ['gb', 'en-GB'],
  ['at', 'de-AT'],
  ['mx', 'es-MX'],
  ['spanish', 'es'],
  ['Deutsch', 'de'],
])('%s is not the code of a language: %s is', (code, meant) => {
  expect(codeFor(code)).toBe(`did you mean \`${meant}\`?`);
});

test.each(['xx', 'klingon', 'sp'])('%s is not the code of a country either', (code) => {
  expect(codeFor(code)).toBe('write a code such as en, es or de-AT');
});

test.each<[tag: string, hint: string]>([
  ['se', '. It is Northern Sami: did you mean `sv`?'],
  ['kr', '. It is Kanuri: did you mean `ko`?'],
  ['br', '. It is Breton: did you mean `pt`?'],
  ['sv', ''],
  ['uk', ''],
  ['sl', ''],
  ['ca', ''],
  ['se-FI', ''],
])('%s is a language without words of the pages%s', (tag, hint) => {
  const message = `is a language for which the service has no words: buttons and notices of the pages are in English${hint}`;
  expect(languageWarnings(tag, '/language')).toEqual([{ path: '/language', message }]);
});

test.each(['cs', 'de-AT', 'spa', null])('%s has no warning', (tag) => {
  expect(languageWarnings(tag, '')).toEqual([]);
});

test('the key of a translation and the language of a template have the hint', () => {
  expect(warningsOf(template({ name: 'A', translations: { cz: { A: 'Á' } } }))).toEqual([
    '/templates/0/translations/cz is not the code of a language, so no browser asks for these texts: did you mean `cs`?',
  ]);
  expect(warningsOf(template({ name: 'A', language: 'cz' }))).toEqual([
    '/templates/0/language is not the code of a language, so buttons and notices of the pages are in English: did you mean `cs`?',
  ]);
});
