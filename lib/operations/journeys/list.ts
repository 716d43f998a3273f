import { shownTemplateOf } from '../../domain/campaigns/shown-template.ts';
import { shownContactOf } from '../../domain/contacts/shown-contact.ts';
import { shownJourneyOf } from '../../domain/journeys/journey.ts';
import type { ListedJourney } from '../../domain/journeys/journey-responses.ts';
import { loadContactAggregate } from '../../store/journeys/journeys.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { JourneyService } from '../service.ts';
import { accountsOf, contentFor, progressOf, recordShown } from './progress.ts';

/** The contact's journeys, oldest first, with their progress. Empty if there is no such contact. */
export const listJourneys = (service: JourneyService, teamId: string, contactId: string): Promise<ListedJourney[]> =>
  untilWritten(service, 'too many journeys that end', () => listOnce(service, teamId, contactId));

async function listOnce(
  service: JourneyService,
  teamId: string,
  contactId: string,
): Promise<ListedJourney[] | typeof lostRace> {
  const [aggregate, recent] = await Promise.all([
    loadContactAggregate(service.database, teamId, contactId),
    service.content.load(teamId),
  ]);
  if (!aggregate) return [];
  const content = await contentFor(service.content, teamId, aggregate, recent);
  const accounts = accountsOf(service, teamId, aggregate.links);
  const journeys = await progressOf(aggregate, content, accounts, service.now());
  const ended = await recordShown(service.database, teamId, journeys);
  if (ended.length > 0) return lostRace;
  const contact = shownContactOf(aggregate.contact);
  return journeys.map(({ journey, template, analytics }) => ({
    ...shownJourneyOf(journey),
    analytics_cache: analytics,
    contact,
    template: shownTemplateOf(template),
  }));
}
