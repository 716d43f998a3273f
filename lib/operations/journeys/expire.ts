import { ended } from '../../domain/journeys/journey.ts';
import { dueAtOf, expiresAt } from '../../domain/journeys/journey-page.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { Content } from '../../store/campaigns/content.ts';
import type { JourneyKey, StoredJourney } from '../../store/journeys/journey-items.ts';
import { endingOf, isOpen, loadJourneys, planOf } from '../../store/journeys/journeys.ts';
import { together } from '../../store/table/together.ts';
import type { DueJourney } from '../../store/waiting-work/due-work.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** Journeys that are written at the same time. */
const parallel = 8;

/**
 * Records that these journeys have expired, if they are still open and due (contract, section 14). A journey whose plan has
 * changed has another entry. It can be repeated.
 */
export async function expireJourneys(
  service: Service,
  teamId: string,
  { templates }: Pick<Content, 'templates'>,
  due: readonly DueJourney[],
): Promise<void> {
  const { database, now } = service;
  await together(due, parallel, (each) =>
    untilWritten(service, 'too many conflicts on a journey', async () => {
      const [stored] = await loadJourneys(database, teamId, [each]);
      if (stored?.journey.id !== each.journeyId || stored.dueAt !== each.at) return;
      const { journey } = stored;
      const template = templates.find(({ id }) => id === journey.template_id);
      const at = template && expiresAt(template, journey);
      if (!template || at === undefined || !(await isOpen(database, teamId, journey))) return;
      // The campaign has changed, and the walk over its journeys has not come here yet.
      if (at > now()) return (await replan(service, teamId, stored, dueAtOf(template, journey, now()))) || lostRace;
      const after = { ...ended(journey, 'expired', each.at), updated_at: timestamp(now()) };
      return (await database.transact(endingOf(teamId, after, stored, 'expired'))) || lostRace;
    }),
  );
}

/** Gives the open journeys of these new entries by what the campaigns are now. */
export async function replanJourneys(
  service: Service,
  teamId: string,
  { templates }: Pick<Content, 'templates'>,
  keys: readonly JourneyKey[],
): Promise<void> {
  const { database, now } = service;
  await together(keys, parallel, (key) =>
    untilWritten(service, 'too many conflicts on a journey', async () => {
      const [stored] = await loadJourneys(database, teamId, [key]);
      const template = templates.find(({ id }) => id === key.templateId);
      if (!stored || !template || stored.journey.cancelled_at !== null || stored.journey.expired_at !== null) return;
      const planned = dueAtOf(template, stored.journey, now());
      if (planned === stored.dueAt) return;
      return (await replan(service, teamId, stored, planned)) || lostRace;
    }),
  );
}

async function replan({ database }: Service, teamId: string, stored: StoredJourney, at: string | undefined) {
  return database.transact(await planOf(database, teamId, stored, at));
}
