import { expect, test } from 'vitest';
import { type Contact, noDetails } from '../../lib/domain/contact.ts';
import { shownContactOf } from '../../lib/domain/shown-contact.ts';

const contact: Contact = {
  ...noDetails,
  id: 'id',
  unique_id: 'u',
  inserted_at: 'i',
  updated_at: 'w',
  meta_private: { secret: 1 },
  completions: { objective: 'time' },
};

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
