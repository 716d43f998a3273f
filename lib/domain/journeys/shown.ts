import { type Contact, type ContactDetails, flagFields, inverse, textFields } from '../contacts/contact.ts';
import type { ShownContact } from '../contacts/contact-responses.ts';
import { type Journey, journeyUrl } from './journey.ts';
import type { ShownJourney } from './journey-responses.ts';

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

export function shownJourneyOf(journey: Journey): ShownJourney & { slug: string } {
  const { id, slug, source, template_id, completion_verified_at, inserted_at, updated_at } = journey;
  return { id, slug, source, template_id, completion_verified_at, inserted_at, updated_at };
}

export const startedJourneyOf = ({ id, slug, template_id }: Journey, baseUrl: string) => ({
  id,
  slug,
  template_id,
  web_client_url: journeyUrl(baseUrl, slug),
});
