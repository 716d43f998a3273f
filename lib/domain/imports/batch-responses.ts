import * as z from 'zod';
import { nextCursor } from '../values/cursor.ts';
import { batchNames } from './batch.ts';
import { batchRecords, count, maxIndexes } from './batch-counts.ts';

/** The progress of a batch (contract, section 5). */
export const batchStatus = z
  .object({
    ...batchNames,
    status: z
      .enum(['processing', 'completed', 'failed'])
      .describe('`processing` while a chunk is open or missing, else `failed` if a chunk is failed, else `completed`'),
    chunks: z
      .object({
        accepted: count('Accepted chunks that are not discarded'),
        completed: count('Chunks whose records have been applied'),
        failed: count('Chunks that are failed. Their records are kept'),
        failed_indexes: z
          .array(z.int().min(0))
          .max(maxIndexes)
          .optional()
          .describe(
            'Present if chunks are failed: the first 100 values of their `chunk_index`, ascending. Chunks of requests without one are not listed',
          ),
        discarded: count('Chunks that an operator discarded. Present only if there are any').optional(),
        cancelled: count(
          'Chunks that were cancelled before processing began. Present only if there are any',
        ).optional(),
        repeated: count(
          'Requests that were answered as a duplicate although their records were others, and were ignored. Present ' +
            'only if there are any',
        ).optional(),
        expected: count('`chunk_count`, if a chunk named it').optional(),
        missing: z
          .array(z.int().min(0))
          .max(maxIndexes)
          .optional()
          .describe('Present with `expected`: the first 100 indexes for which no chunk has been accepted yet'),
      })
      .meta({
        id: 'BatchChunks',
        description: 'The chunks of the batch: requests, or parts into which the service has split a request',
      }),
    records: batchRecords,
    errors: z
      .array(
        z
          .object({
            chunk: count('`chunk_index`, or the index of the chunk in a request without one'),
            record: count('Index of the record in its chunk, from zero'),
            message: z.string().describe('Why the record could not be stored'),
          })
          .meta({ id: 'RejectedRecord', description: 'A record that could not be stored' }),
      )
      .describe('Records that could not be stored: the first 100, or all if `chunk_index` selects one chunk'),
    inserted_at: z.iso.datetime().describe('Time at which the first chunk was accepted'),
    completed_at: z.iso
      .datetime()
      .nullable()
      .describe('Time at which the last chunk ended. `null` until the batch is completed'),
  })
  .meta({ id: 'BatchStatus', description: 'The progress of a batch' });
export type BatchStatus = z.output<typeof batchStatus>;

/** The response of `GET /v1/batches`. */
export const batchList = z
  .object({
    batches: z
      .array(batchStatus.omit({ errors: true }).meta({ id: 'BatchSummary', description: 'The progress of a batch' }))
      .describe('The batches of the page, without their errors'),
    limit: z.int().describe('Batches per page'),
    has_more: z.boolean().describe('True if there are older batches'),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'BatchList', description: "A page of the team's batches, newest first" });
export type BatchList = z.output<typeof batchList>;
