import { expect, test } from 'vitest';
import { forgottenReasons } from '../../lib/web/warnings/forgotten.ts';
import { warningsOf } from '../support/content-warnings.ts';

const text = 'We open your account now.';
const reasons = (translation: string, language: string, before: Record<string, string> = {}) => {
  const earlier = Object.entries(before).map(([each, other]) => [each, { [text]: other }]);
  const translations = { ...Object.fromEntries(earlier), [language]: { [text]: translation } };
  return forgottenReasons({ text, language, own: 'en', translations });
};
const inSpanish = 'Abrimos su cuenta ahora mismo.';

test.each<[translation: string, language: string, message: RegExp]>([
  [text, 'es', /the same as the text: write it in `es`/],
  [` ${text} `, 'de-AT', /the same as the text/],
  ['your account', 'ar', /has no letter of the language `ar`/],
  ['{{name_first}}: your new account', 'ar', /has no letter/],
  ['Добро пожаловать в банк', 'es', /has no letter of the language `es`/],
  ['مرحبًا بكم في المصرف', 'fr', /has no letter of the language `fr`/],
  ['your account', 'ru', /has no letter/],
])('%j is no translation into %s', (translation, language, message) => {
  expect(reasons(translation, language)).toEqual([expect.stringMatching(message)]);
});

test.each<[translation: string, language: string]>([
  [inSpanish, 'es'],
  [text, 'en-GB'],
  ['Cedar Valley Checking', 'ar'],
  ['{{name_first}} {{name_last}}', 'ar'],
  ['help@bank.example', 'ar'],
  ['نفتح حسابك في Cedar Valley', 'ar'],
  ['OK', 'ar'],
  ['Federally insured by NCUA', 'es'],
  ['24 / 7', 'ar'],
  ['your account', 'tlh'],
  ['口座を開設します', 'ja'],
])('%j is a translation into %s', (translation, language) => {
  expect(reasons(translation, language)).toEqual([]);
});

test('the same translation into two languages was forgotten in one of them', () => {
  const before = { es: inSpanish };
  expect(reasons(inSpanish, 'fr', before)).toEqual(['is the same as the translation into `es`: write it in `fr`']);
  expect(reasons(inSpanish, 'es-MX', before)).toEqual([]);
  expect(reasons('Cedar Valley Credit Union', 'fr', { es: 'Cedar Valley Credit Union' })).toEqual([]);
  expect(reasons('Vi åpner kontoen nå', 'nb', { no: 'Vi åpner kontoen nå' })).toEqual([]);
});

test.each<[text: string, found: boolean]>([
  ['Apple Pay, Google Pay, Visa, Mastercard', false],
  ['Apple Pay · Google Pay · Samsung Pay', false],
  ['Apple Pay / Google Pay / Garmin Pay.', false],
  ['Visa Classic\nVisa Gold\nVisa Platinum Infinite', false],
  ['Prague, Brno & Ostrava, Cedar Valley Credit Union', true],
  ['Apple Pay, Google Pay, Visa and Mastercard, also abroad', true],
  ['Open Your New Savings Account Today', true],
  ['Hello, Your New Savings Account Waits', true],
])('the same list of names in two languages: %j', (names, found) => {
  const translations = { cs: { [names]: names }, de: { [names]: names } };
  const reasons = forgottenReasons({ text: names, language: 'de', own: 'en', translations });
  expect(reasons).toEqual(found ? [expect.stringContaining('the same as the text')] : []);
  const other = forgottenReasons({
    text: 'Names',
    language: 'de',
    own: 'en',
    translations: { cs: { Names: names }, de: { Names: names } },
  });
  expect(other).toEqual(found ? [expect.stringContaining('the same as the translation into `cs`')] : []);
});

const document = (translations: object) => ({
  templates: [
    {
      translations,
      template_pages: [
        {
          page: {
            completion_condition: 'view',
            content_blocks: [{ type: 'text', data: { heading: 'Hello', body: text } }],
          },
        },
      ],
    },
  ],
});

test('the warning names the translation', () => {
  const es = { Hello: 'Hola', [text]: inSpanish };
  expect(warningsOf(document({ es, fr: { Hello: 'Bonjour', [text]: inSpanish } }))).toEqual([
    `/templates/0/translations/fr/${text} is the same as the translation into \`es\`: write it in \`fr\``,
  ]);
  expect(warningsOf(document({ ar: { Hello: 'مرحبًا', [text]: 'we open it' } }))).toEqual([
    expect.stringMatching(/^\/templates\/0\/translations\/ar\/We open your account now\. has no letter/),
  ]);
  // No text has a letter of the language, which has one warning.
  expect(warningsOf(document({ ar: { Hello: 'Hola', [text]: inSpanish } }))).toEqual([
    expect.stringMatching(/^\/templates\/0\/translations\/ar is the code of Arabic/),
  ]);
});
