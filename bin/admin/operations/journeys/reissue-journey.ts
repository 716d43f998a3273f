import { type Journey, reissued, stateOf } from '../../../../lib/domain/journeys/journey.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { findJourney, loadJourneyWithActions, reissueOf } from '../../../../lib/store/journeys/journeys.ts';

/**
 * Gives the journey a new slug. The old slug no longer works; the recorded actions and responses are kept.
 * @throws Problem `not_found` if the team has no such journey.
 */
export async function reissueJourney(
  service: Service,
  teamId: string,
  journeyId: string,
): Promise<Journey & { state: ReturnType<typeof stateOf> }> {
  const { database, now, newSlug } = service;
  const key = await findJourney(database, teamId, journeyId);
  if (!key) throw notFound();
  return untilWritten(service, 'too many conflicts on the journey', async () => {
    const stored = await loadJourneyWithActions(database, teamId, key);
    // Another id: the contact was erased and created again in between.
    if (stored?.journey.id !== journeyId) throw notFound();
    const journey = reissued(stored.journey, newSlug(), timestamp(now()));
    return (await database.transact(reissueOf(teamId, journey, stored)))
      ? { ...journey, state: stateOf(journey, stored.actions) }
      : lostRace;
  });
}
