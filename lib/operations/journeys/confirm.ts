import { changedAt, confirmed, type Journey } from '../../domain/journeys/journey.ts';
import { notFound, Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { findJourney, loadJourneyWithActions, timesOf, updateOf } from '../../store/journeys/journeys.ts';
import { writeOne } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/**
 * Records that a caller confirmed the completion. The first time is kept, and `isConfirmed` false changes nothing.
 * @throws Problem `not_found` if the template has no such journey; `conflict` if it would confirm a cancelled one.
 */
export async function confirmJourney(
  service: Service,
  teamId: string,
  { templateId, journeyId }: { templateId: string; journeyId: string },
  isConfirmed: boolean,
): Promise<Journey> {
  const { database, now } = service;
  const key = await findJourney(database, teamId, journeyId);
  if (!key || key.templateId !== templateId) throw notFound();
  const time = timestamp(now());
  return untilWritten(service, 'too many conflicts on the journey', async () => {
    const stored = await loadJourneyWithActions(database, teamId, key);
    // Another id: the contact was erased and created again in between.
    if (stored?.journey.id !== journeyId) throw notFound();
    if (isConfirmed && stored.journey.cancelled_at !== null) {
      throw new Problem('conflict', undefined, { hint: 'The journey is cancelled.' });
    }
    const journey = isConfirmed ? confirmed(stored.journey, time) : stored.journey;
    const shown = changedAt(journey, timesOf(stored));
    if (journey === stored.journey) return shown;
    const written = await writeOne(database, updateOf(teamId, journey, stored));
    return written ? shown : lostRace;
  });
}
