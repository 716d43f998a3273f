import { type Caller, readsPrivate } from '../domain/access/caller.ts';
import type { ShownContact, WrittenContact } from '../domain/contacts/contact-responses.ts';

/** The contact without `meta_private`, unless the caller has `contacts:private`. */
export function shownTo<Shown extends { meta_private?: unknown }>(caller: Caller, contact: Shown): Shown {
  if (readsPrivate(caller)) return contact;
  const { meta_private: _, ...others } = contact;
  return others as Shown;
}

/** The contact in the response to a write: without `contacts:read`, only its ids and times (contract, section 2). */
export function writtenTo(caller: Caller, contact: ShownContact): ShownContact | WrittenContact {
  if (caller.scopes.has('contacts:read')) return shownTo(caller, contact);
  const { id, unique_id, inserted_at, updated_at } = contact;
  return { id, unique_id, inserted_at, updated_at };
}

/** A journey in the response to a write: without `journeys:read`, nothing that opens its page. */
export function writtenJourneyTo<Written extends { slug: string; web_client_url?: string }>(
  { scopes }: Caller,
  journey: Written,
): Written | Omit<Written, 'slug' | 'web_client_url'> {
  if (scopes.has('journeys:read')) return journey;
  const { slug: _, web_client_url: __, ...others } = journey;
  return others;
}
