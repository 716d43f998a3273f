import * as z from 'zod';
import { batchStatus } from './batch-status.ts';
import { nextCursor, type PagedList } from './cursor.ts';

/** Paging through a team's batches (contract, section 5). */
export const batchListLimits = { default: 20, maximum: 100 } as const;

/** Pages of the list. A position is the sort key of a batch in the index. */
export const batchListPages: PagedList<{ limit: number }, string> = {
  name: 'batch list',
  query: z.object({ limit: z.number() }),
  position: z.string(),
};

/** The response of `GET /v1/batches`. */
export const batchList = z
  .object({
    batches: z
      .array(batchStatus.omit({ errors: true }).meta({ id: 'BatchSummary', description: 'The progress of a batch' }))
      .meta({ description: 'The batches of the page, without their errors' }),
    limit: z.int().meta({ description: 'Batches per page' }),
    has_more: z.boolean().meta({ description: 'True if there are older batches' }),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'BatchList', description: "A page of the team's batches, newest first" });
export type BatchList = z.output<typeof batchList>;
