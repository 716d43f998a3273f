import { describe, expect, test } from 'vitest';
import { accountFields } from '../../lib/domain/account-fields.ts';
import { type Contact, noDetails } from '../../lib/domain/contact.ts';
import { accountDateFields, longDate, longDay } from '../../lib/domain/date-text.ts';
import { fill, noValues } from '../../lib/domain/placeholders.ts';

test.each<[at: string, language: string, timeZone: string | undefined, date: string]>([
  ['2026-03-27T23:30:00Z', 'en', undefined, 'March 27, 2026'],
  ['2026-03-27T23:30:00Z', 'en', 'Europe/Prague', 'March 28, 2026'],
  ['2026-03-27', 'fr', undefined, '27 mars 2026'],
  // These languages have other calendars by default.
  ['2026-03-27', 'th', undefined, '27 มีนาคม ค.ศ. 2026'],
  ['2026-03-27', 'fa-u-nu-latn', undefined, '27 مارس 2026'],
])('%s in the long form of %s for the time zone %s is %s', (at, language, timeZone, date) => {
  expect(longDate(at, language, timeZone)).toBe(date);
});

test.each([
  ['2026-01-05', 'January 5, 2026'],
  ['2026-13-31', '2026-13-31'],
  ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z'],
  ['on 2026-01-05', 'on 2026-01-05'],
  ['2026', '2026'],
  ['2026-01', '2026-01'],
  ['soon', 'soon'],
  ['', ''],
])('the text %j as a day is %j', (text, day) => {
  expect(longDay(text, 'en')).toBe(day);
});

const person: Contact = { ...noDetails, id: 'c', unique_id: 'u', inserted_at: '', updated_at: '' };

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Prague'])(
  'a calendar date in %s is the same day in the text of a placeholder',
  (timezone) => {
    const contact = { ...person, timezone, birthdate: '1985-03-27' };
    const values = { ...noValues, contact, isIdentityValidated: true };
    expect(fill('{{birthdate}}', values)).toBe('1985-03-27');
    expect(fill('{{birthdate}}', { ...values, language: 'en' })).toBe('March 27, 1985');
  },
);

describe('a placeholder for a date', () => {
  const account = { account: { fields: { opened_date: '2026-01-05', nickname: '2026-01-05' } } } as never;
  const born = { ...person, birthdate: '1985-03-27', meta_public: { since: '2026-01-05' } };
  const values = { ...noValues, contact: born, account, variables: { born: 'contact.birthdate' } };

  test.each<[text: string, language: string | null, expected: string]>([
    ['{{birthdate}}', 'en', 'March 27, 1985'],
    ['{{birthdate}}', null, 'March 27, 1985'],
    ['{{contact.birthdate}}', 'en-GB', '27 March 1985'],
    ['{{born}}', 'spa', '27 de marzo de 1985'],
    ['{{account.opened_date}}', 'de', '5. Januar 2026'],
    ['{{account.opened_date}}', 'cs', '5. ledna 2026'],
    ['{{account.opened_date}}', 'ar', '5 يناير 2026'],
    // The words of the pages are not translated into Finnish, but the texts of the campaign are.
    ['{{account.opened_date}}', 'fi', '5. tammikuuta 2026'],
    // Only fields that are dates are written as dates.
    ['{{meta_public.since}}', 'en', '2026-01-05'],
    ['{{account.nickname}}', 'en', '2026-01-05'],
  ])('%s in the language %s is %s', (text, language, expected) => {
    expect(fill(text, { ...values, language, isIdentityValidated: true })).toBe(expected);
  });

  test.each(['2026-01-05T10:00:00Z', '2026-13-31', '2026'])('is as it was sent if it is %s', (birthdate) => {
    const given = { ...values, contact: { ...born, birthdate }, language: 'en', isIdentityValidated: true };
    expect(fill('{{birthdate}}', given)).toBe(birthdate);
  });

  test('is hidden before the proof of identity', () => {
    expect(fill('{{birthdate}}{{account.opened_date}}', { ...values, language: 'en' })).toBe('••••••');
  });

  test('is each field of an account that takes a date', () => {
    const takes = (name: keyof typeof accountFields, value: string) => accountFields[name].safeParse(value).success;
    const names = Object.keys(accountFields) as (keyof typeof accountFields)[];
    expect(names.filter((name) => takes(name, '2026-01-05T10:00:00Z') && !takes(name, 'x'))).toEqual(accountDateFields);
  });

  test.each(accountDateFields)('account.%s has the form of the language', (field) => {
    const held = { account: { fields: { [field]: '2026-01-05' } } } as never;
    const given = { ...values, account: held, language: 'en', isIdentityValidated: true };
    expect(fill(`{{account.${field}}}`, given)).toBe('January 5, 2026');
  });
});
