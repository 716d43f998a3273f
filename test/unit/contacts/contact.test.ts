import { describe, expect, test } from 'vitest';
import { flagFields, isSameDetails, metaFields, noDetails, textFields } from '../../../lib/domain/contacts/contact.ts';
import { shownContactOf } from '../../../lib/domain/contacts/shown-contact.ts';
import { contactOf } from '../../support/samples/samples.ts';

const contact = contactOf({ meta_private: { secret: 1 }, completions: { objective: 'time' } });

test('a shown contact has every field of the specification, and nothing else', () => {
  expect(Object.keys(shownContactOf(contact)).sort()).toEqual(
    [
      ...['unique_id', 'name_title', 'name_first', 'name_last', 'name_suffix', 'address', 'address2', 'city', 'state'],
      ...['county', 'country', 'post_code', 'timezone', 'email', 'phone_home', 'phone_mobile', 'phone_work'],
      ...['email_verified', 'email_opted_in', 'email_authorized', 'sms_verified', 'sms_opted_in', 'sms_authorized'],
      ...['unsubscribe_email', 'unsubscribe_sms', 'meta_public', 'meta_private', 'birthdate'],
      ...['id', 'inserted_at', 'updated_at'],
    ].sort(),
  );
});

test('a contact that was just created is shown without meta_private', () => {
  expect(shownContactOf(contact, { justCreated: true })).not.toHaveProperty('meta_private');
  expect(shownContactOf(contact).meta_private).toEqual({ secret: 1 });
});

test.each([
  [true, false],
  [false, true],
  [null, null],
])('opted in %s is shown as unsubscribed %s', (optedIn, unsubscribed) => {
  const shown = shownContactOf({ ...contact, email_opted_in: optedIn, sms_opted_in: optedIn });
  expect(shown.unsubscribe_email).toBe(unsubscribed);
  expect(shown.unsubscribe_sms).toBe(unsubscribed);
});

describe('the details of a contact', () => {
  const set = { meta_public: { a: 1, b: 2 }, meta_private: { c: 3 }, completions: { o: 'time', p: 'time' } };
  const details = { ...noDetails, ...set, city: 'Pisek', email_verified: true };

  test('are the same in another order of keys', () => {
    const other = { ...details, meta_public: { b: 2, a: 1 }, completions: { p: 'time', o: 'time' } };
    expect(isSameDetails(details, other)).toBe(true);
  });

  test.each<[string, unknown]>([
    ...textFields.map((field): [string, string] => [field, 'other']),
    ...flagFields.map((field): [string, boolean] => [field, false]),
    ...metaFields.map((field): [string, object] => [field, { a: 1 }]),
    ['completions', { o: 'time' }],
  ])('differ with %s', (field, value) => {
    expect(isSameDetails(details, { ...details, [field]: value })).toBe(false);
  });
});
