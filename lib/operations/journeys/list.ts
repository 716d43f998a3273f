import type { Analytics } from '../../domain/completion.ts';
import { type ShownContact, shownContact } from '../../domain/contact.ts';
import { type ShownTemplate, shownTemplateOf } from '../../domain/content/template.ts';
import type { Journey } from '../../domain/journey.ts';
import { loadContactFile } from '../../store/journeys.ts';
import type { ProgressDependencies } from './dependencies.ts';
import { accountsOf, contentFor, progressOf, recordShown } from './progress.ts';

/** A journey as the interface returns it after a change. */
export type ShownJourney = Pick<
  Journey,
  'id' | 'slug' | 'source' | 'template_id' | 'completion_verified_at' | 'inserted_at' | 'updated_at'
>;
export type ListedJourney = ShownJourney & {
  analytics_cache: Analytics;
  contact: ShownContact;
  template: ShownTemplate;
};

export function shownJourney(journey: Journey): ShownJourney {
  const { id, slug, source, template_id, completion_verified_at, inserted_at, updated_at } = journey;
  return { id, slug, source, template_id, completion_verified_at, inserted_at, updated_at };
}

/** The contact's journeys, oldest first, with their progress; none for an unknown contact. */
export async function listJourneys(
  dependencies: ProgressDependencies,
  teamId: string,
  contactId: string,
): Promise<ListedJourney[]> {
  const file = await loadContactFile(dependencies.database, teamId, contactId);
  if (!file) return [];
  const content = await contentFor(dependencies.content, teamId, file);
  const accounts = accountsOf(dependencies, teamId, file.links);
  const journeys = await progressOf(file, content, accounts, dependencies.now());
  await recordShown(dependencies.database, teamId, journeys);
  const contact = shownContact(file.contact);
  return journeys.map(({ journey, template, analytics }) => ({
    ...shownJourney(journey),
    analytics_cache: analytics,
    contact,
    template: shownTemplateOf(template),
  }));
}
