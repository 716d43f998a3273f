import type { KeptResponse } from '../../domain/journeys/answer.ts';
import { templateResponsePages } from '../../domain/results/journey-list.ts';
import { type Results, resultsOf } from '../../domain/results/results.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { ContentCache } from '../../store/campaigns/content.ts';
import { loadContacts } from '../../store/contacts/contacts.ts';
import { loadResponsesAt } from '../../store/journeys/journeys.ts';
import { listResponseKeys } from '../../store/results/journey-lists.ts';
import { loadCounts } from '../../store/results/results.ts';
import type { Database } from '../../store/table/database.ts';
import { requestedPage } from '../access/cursors.ts';
import { findTemplate } from '../campaigns/find-template.ts';

/** The results of a template, with the names of its current content. @throws Problem `not_found` */
export async function readResults(
  { database, content, now }: { database: Database; content: ContentCache; now(): number },
  teamId: string,
  templateId: string,
): Promise<Results> {
  const [template, counts] = await Promise.all([
    findTemplate(content, teamId, templateId),
    loadCounts(database, teamId, templateId),
  ]);
  return resultsOf(template, counts, timestamp(now()));
}

export type ListedResponse = KeptResponse & {
  journey_id: string;
  contact: { id: string; unique_id: string };
};

/**
 * A page of the responses to a template, oldest first.
 * @param fits true if the API can return responses of this size. A page that does not fit is shorter than its limit.
 * @throws Problem `not_found` if the team has no such template; `invalid_request` if the cursor is invalid or contradicts
 * the other parameters
 */
export async function listTemplateResponses(
  { database, content }: { database: Database; content: ContentCache },
  teamId: string,
  templateId: string,
  { cursor, ...sent }: { since?: string | undefined; limit?: number | undefined; cursor?: string | undefined },
  fits: (responses: readonly ListedResponse[]) => boolean,
): Promise<{ responses: ListedResponse[]; has_more: boolean; next_cursor?: string }> {
  await findTemplate(content, teamId, templateId);
  const asked = { ...sent, template_id: templateId };
  const { query, after, end } = await requestedPage(database, teamId, templateResponsePages, cursor, asked);
  const start = { since: query.since, after };
  const { entries, hasMore } = await listResponseKeys(database, { teamId, templateId }, start, query.limit);
  const keys = entries.map(({ key }) => key);
  const ids = entries.map(({ contactId }) => contactId);
  const [stored, contacts] = await Promise.all([loadResponsesAt(database, keys), loadContacts(database, teamId, ids)]);
  const listed = entries.map(({ journeyId: journey_id, position }, index) => {
    const [response, contact] = [stored[index], contacts[index]?.contact];
    // Erased since it was listed.
    if (!response || !contact) return { position, responses: [] };
    const { id, unique_id } = contact;
    return { position, responses: [{ ...response, journey_id, contact: { id, unique_id } }] };
  });
  const responsesIn = (page: typeof listed) => page.flatMap(({ responses }) => responses);
  let page = listed;
  while (page.length > 1 && !fits(responsesIn(page))) page = page.slice(0, Math.ceil(page.length / 2));
  const responses = responsesIn(page);
  const isLast = !hasMore && page.length === listed.length;
  return { responses, ...(await end(isLast ? undefined : page.at(-1)!.position)) };
}
