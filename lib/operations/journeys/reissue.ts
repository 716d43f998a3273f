import { type Journey, reissued } from '../../domain/journey.ts';
import { notFound } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { findJourney, loadJourneys, reissueOf } from '../../store/journeys.ts';
import { maxRounds } from '../contacts/dependencies.ts';
import type { StartDependencies } from './dependencies.ts';

/**
 * Gives the journey a new slug. The old one names nothing from then on; what was recorded stays.
 * @throws Problem `not_found` when the team has no such journey.
 */
export async function reissueJourney(
  { database, now, newSlug, pause }: Pick<StartDependencies, 'database' | 'now' | 'newSlug' | 'pause'>,
  teamId: string,
  journeyId: string,
): Promise<Journey> {
  const place = await findJourney(database, teamId, journeyId);
  if (!place) throw notFound();
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) await pause(round);
    const [stored] = await loadJourneys(database, teamId, [place]);
    if (!stored) throw notFound();
    const journey = reissued(stored.journey, newSlug(), timestamp(now()));
    if (await database.transact(reissueOf(teamId, journey, stored))) return journey;
  }
  throw new StoreUnavailable('the journey is contended');
}
