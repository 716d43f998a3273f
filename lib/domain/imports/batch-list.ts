import * as z from 'zod';
import { pagedList } from '../values/cursor.ts';

/** Paging through a team's batches (contract, section 5). */
export const batchListLimits = { default: 20, maximum: 100 } as const;

/** Pages of the list. A position is the sort key of a batch in the index. */
const query = z.object({ limit: z.number().default(batchListLimits.default) });
export const batchListPages = pagedList('batch list', query, z.string());
