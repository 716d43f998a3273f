import * as z from 'zod';
import type { PagedList } from './cursor.ts';

/** Paging through a team's batches (contract, section 5). */
export const batchListLimits = { default: 20, maximum: 100 } as const;

/** Pages of the list. A position is the sort key of a batch in the index. */
export const batchListPages: PagedList<{ limit: number }, string> = {
  name: 'batch list',
  query: z.object({ limit: z.number() }),
  position: z.string(),
};
