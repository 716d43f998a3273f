import { notFound } from '../../domain/problem.ts';
import type { KeptResponse } from '../../domain/response.ts';
import type { Database } from '../../store/database.ts';
import { findJourney, loadResponses } from '../../store/journeys.ts';

/** The responses of the journey, oldest first. @throws Problem `not_found` if the team has no such journey */
export async function listResponses(
  { database }: { database: Database },
  teamId: string,
  journeyId: string,
): Promise<KeptResponse[]> {
  const key = await findJourney(database, teamId, journeyId);
  if (!key) throw notFound();
  return loadResponses(database, teamId, key, journeyId);
}
