import { pageGroup } from '../../../lib/domain/counts.ts';
import type { Database } from '../../../lib/store/database.ts';
import { journeyActionKey } from '../../../lib/store/keys.ts';
import { loadCounts } from '../../../lib/store/results.ts';
import { listJourneyKeys } from '../../../lib/store/template-lists.ts';

/** A number of people. `isAtLeast`: there are more journeys than were read. */
export type People = { people: number; isAtLeast: boolean };

/** That an import reads. */
export const mostJourneys = 1000;

/**
 * How many people have a journey of the template, and how many of them viewed or completed each page. It reads the first
 * {@link mostJourneys} journeys, and for the others the results, which trail by seconds.
 */
export async function loadProgress(
  database: Database,
  template: { teamId: string; templateId: string },
  pageIds: readonly string[],
): Promise<{ journeys: People; pages: Map<string, People> }> {
  const { teamId, templateId } = template;
  const { entries, hasMore: isAtLeast } = await listJourneyKeys(database, template, {}, mostJourneys);
  const counts = isAtLeast ? await loadCounts(database, teamId, templateId) : {};
  const pages = new Map<string, People>();
  for (const page_id of pageIds) {
    const [viewed, completed] = await Promise.all(
      ['viewed', 'completed'].map((kind) =>
        database.get(
          entries.map(({ contactId }) => journeyActionKey(teamId, contactId, templateId, { kind, page_id })),
        ),
      ),
    );
    const found = entries.filter((_, at) => viewed![at] ?? completed![at]).length;
    const { viewed: ofAll = 0, completed: done = 0 } = counts[pageGroup(page_id)] ?? {};
    pages.set(page_id, { people: Math.max(found, ofAll, done), isAtLeast });
  }
  return { journeys: { people: entries.length, isAtLeast }, pages };
}
