import { type KeptResponse, responseListPages } from '../../domain/journeys/answer.ts';
import { notFound } from '../../domain/values/problem.ts';
import { findJourney, loadResponses } from '../../store/journeys/journeys.ts';
import { requestedPage } from '../access/cursors.ts';
import type { Service } from '../service.ts';

/**
 * A page of the responses of the journey, oldest first.
 * @throws Problem `not_found` if the team has no such journey; `invalid_request` if the cursor is invalid, or is of
 * another journey or limit.
 */
export async function listResponses(
  { database }: Pick<Service, 'database'>,
  teamId: string,
  journey_id: string,
  { limit: sent, cursor }: { limit?: number | undefined; cursor?: string | undefined } = {},
): Promise<{ responses: KeptResponse[]; has_more: boolean; next_cursor?: string }> {
  const key = await findJourney(database, teamId, journey_id);
  if (!key) throw notFound();
  const asked = { journey_id, limit: sent };
  const { query, after, end } = await requestedPage(database, teamId, responseListPages, cursor, asked);
  const page = { limit: query.limit, after };
  const { responses, next } = await loadResponses(database, teamId, key, journey_id, page);
  return { responses, ...(await end(next)) };
}
