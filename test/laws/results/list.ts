import { setTimeout as sleep } from 'node:timers/promises';
import type { JourneyList, TemplateJourney } from '../../../lib/domain/results/journey-list-responses.ts';
import { listTemplateJourneys } from '../../../lib/operations/results/list-journeys.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { templateId } from './campaign.ts';

export const readersOn = (database: Database) => ({
  ...serviceOn(database),
  content: new ContentCache(database, Date.now),
  productCache: new ProductCache(database),
});

/** A read of the whole list. */
export type ListRead = {
  seconds: number;
  pages: number;
  listed: number;
  problems: string[];
};

/** Reads the list by its cursors, 100 journeys a page. */
export async function readList(
  dependencies: ReturnType<typeof readersOn>,
  teamId: string,
  onJourney: (journey: TemplateJourney) => void,
): Promise<ListRead> {
  const began = performance.now();
  const versions = new Set<string>();
  const problems: string[] = [];
  let [last, listed, pages] = ['', 0, 0];
  for (let cursor: string | undefined; ; ) {
    const sent = cursor === undefined ? { template_id: templateId, limit: 100 } : { cursor };
    const page = await untilRead(() => listTemplateJourneys(dependencies, teamId, sent));
    pages += 1;
    for (const journey of page.journeys) {
      const { id, updated_at } = journey;
      if (versions.has(`${id} ${updated_at}`)) problems.push(`${id} is listed twice at ${updated_at}`);
      versions.add(`${id} ${updated_at}`);
      if (updated_at < last) problems.push(`${id} of ${updated_at} is listed after ${last}`);
      last = updated_at;
      listed += 1;
      onJourney(journey);
    }
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  return { seconds: Math.round((performance.now() - began) / 100) / 10, pages, listed, problems };
}

/** The engine is killed with the service, and comes back. */
async function untilRead(read: () => Promise<JourneyList>): Promise<JourneyList> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await sleep(200);
    }
  }
}
