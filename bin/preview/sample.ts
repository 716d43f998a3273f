import type { Template } from '../../lib/domain/campaigns/template.ts';
import { type Contact, noDetails } from '../../lib/domain/contacts/contact.ts';
import { analyticsOf, type JourneyAction } from '../../lib/domain/journeys/completion.ts';
import { applyJourney } from '../../lib/domain/journeys/journey.ts';
import type { LinkedAccount } from '../../lib/domain/journeys/linked-account.ts';
import type { TeamFeature } from '../../lib/domain/teams/team.ts';

/** Whose values the pages of a preview show. */
export type Person = { contact: Contact; accounts: readonly LinkedAccount[] };

/** The contact whose values a preview shows if none is named. */
export const sampleContact = (now: string): Contact => ({
  ...noDetails,
  id: 'sample',
  unique_id: 'sample',
  name_first: 'Alex',
  name_last: 'Sample',
  address: '1 Sample Street',
  city: 'Sampleton',
  post_code: '00000',
  email: 'alex@example.com',
  phone_mobile: '+15550100100',
  birthdate: '1990-01-31',
  inserted_at: now,
  updated_at: now,
});

/** A journey that no table has, with its pages: drafts are among them, archived pages are not. */
export function sampleJourney(
  template: Template,
  { contact, accounts }: Person,
  { features, now }: { features: readonly TeamFeature[]; now: string },
) {
  const ids = { id: 'preview', slug: 'preview', contactId: contact.id };
  const { journey } = applyJourney(undefined, {}, { ...ids, template, now });
  const pages = template.template_pages.filter(({ page }) => !page.is_archived);
  const rules = pages.map(({ page }) => page);
  const context = { completions: contact.completions, held: accounts, features, startedAt: now };
  const analytics = (actions: readonly JourneyAction[]) => analyticsOf(rules, { ...context, actions });
  return { journey, template, contact, pages, published: pages, analytics };
}
