import { notFound } from '../../domain/problem.ts';
import type { KeptResponse } from '../../domain/response.ts';
import type { Database } from '../../store/database.ts';
import { findJourney, loadResponses } from '../../store/journeys.ts';

/** What was answered in the journey, oldest first. @throws Problem `not_found` when the team has no such journey */
export async function listResponses(
  { database }: { database: Database },
  teamId: string,
  journeyId: string,
): Promise<KeptResponse[]> {
  const place = await findJourney(database, teamId, journeyId);
  if (!place) throw notFound();
  return loadResponses(database, teamId, place, journeyId);
}
