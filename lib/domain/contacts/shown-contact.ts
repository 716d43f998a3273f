import { type Contact, type ContactDetails, flagFields, inverse, textFields } from './contact.ts';
import type { ShownContact } from './contact-responses.ts';

/** @param options.justCreated leaves `meta_private` out */
export function shownContactOf(contact: Contact, { justCreated = false } = {}): ShownContact {
  const { id, unique_id, inserted_at, updated_at, meta_public, meta_private } = contact;
  return {
    id,
    unique_id,
    ...pick(textFields, contact),
    ...pick(flagFields, contact),
    unsubscribe_email: inverse(contact.email_opted_in),
    unsubscribe_sms: inverse(contact.sms_opted_in),
    meta_public,
    ...(justCreated ? {} : { meta_private }),
    inserted_at,
    updated_at,
  };
}

const pick = <Field extends keyof ContactDetails>(fields: readonly Field[], from: ContactDetails) =>
  Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<ContactDetails, Field>;
