import { notFound } from '../../domain/problem.ts';
import { type KeptResponse, responseListLimits, responseListPages } from '../../domain/response.ts';
import type { Database } from '../../store/database.ts';
import { findJourney, loadResponses } from '../../store/journeys.ts';
import { Cursors } from '../cursors.ts';

/**
 * A page of the responses of the journey, oldest first.
 * @throws Problem `not_found` if the team has no such journey; `invalid_request` if the cursor is invalid, or is of
 * another journey or limit.
 */
export async function listResponses(
  { database }: { database: Database },
  teamId: string,
  journey_id: string,
  sent: { limit?: number | undefined; cursor?: string | undefined } = {},
): Promise<{ responses: KeptResponse[]; has_more: boolean; next_cursor?: string }> {
  const key = await findJourney(database, teamId, journey_id);
  if (!key) throw notFound();
  const cursors = new Cursors(database, teamId, responseListPages);
  const cursor =
    sent.cursor === undefined ? undefined : await cursors.decrypt(sent.cursor, { journey_id, limit: sent.limit });
  const limit = cursor?.query.limit ?? sent.limit ?? responseListLimits.default;
  const { responses, next } = await loadResponses(database, teamId, key, journey_id, { limit, after: cursor?.after });
  if (next === undefined) return { responses, has_more: false };
  const next_cursor = await cursors.encrypt({ query: { journey_id, limit }, after: next });
  return { responses, has_more: true, next_cursor };
}
