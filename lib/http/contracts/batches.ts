import * as z from 'zod';
import { batchRequest, deduplicationFaults } from '../../domain/batch.ts';
import { contract } from '../contract.ts';

const tag = 'Batches';
const count = (description: string) => z.int().min(0).meta({ description });

const acceptance = z
  .object({
    batch_id: z.string(),
    type: z.literal('account'),
    chunk_index: z.int().nullable().meta({ description: 'As sent; `null` when the request had none' }),
    records: count('Records accepted; of a duplicate, as first accepted'),
    status: z.literal('accepted'),
    duplicate: z.boolean().meta({
      description: 'The pair of batch_id and chunk_index was accepted before: these records were ignored',
    }),
  })
  .meta({ id: 'BatchAcceptance' });

const status = z
  .object({
    batch_id: z.string(),
    type: z.literal('account'),
    status: z.enum(['processing', 'completed', 'failed']),
    chunks: z.object({
      accepted: count('Chunks accepted and not discarded'),
      completed: count('Chunks whose records have been applied'),
      failed: count('Chunks that stand failed, with their records kept'),
      discarded: count('Chunks that an operator gave up; there only when there are any').optional(),
    }),
    records: z.object({
      accepted: count('Records of those chunks'),
      applied: count('Records that changed something'),
      unchanged: count('Records that said what was stored already'),
      superseded: count('Records of a chunk that came late, over which a later chunk had been applied already'),
      rejected: count('Records that could not be stored; see errors'),
    }),
    errors: z.array(
      z.object({
        chunk: count('chunk_index, or the place of the chunk in an upload without one'),
        record: count('Place of the record within its chunk, from zero'),
        message: z.string(),
      }),
    ),
    inserted_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BatchStatus' });

export const createBatch = contract({
  id: 'create-batch',
  tag,
  summary: 'Import accounts',
  description:
    'Accepts up to 10,000 account records and applies them in the background, after every batch of the team that was ' +
    'accepted before. With `batch_id` and `chunk_index` (at most 500 records) the request is safe to resend.',
  body: batchRequest,
  refusals: deduplicationFaults,
  answers: { 202: { description: 'Accepted for good: the records will be applied', schema: acceptance } },
});

export const getBatch = contract({
  id: 'get-batch',
  tag,
  summary: 'State of a batch',
  answers: { 200: { description: 'The state of all chunks of the batch so far', schema: status } },
});

export const findBatch = contract({
  id: 'find-batch',
  tag,
  summary: 'State of a batch whose id a path cannot carry',
  query: z.object({
    batch_id: z
      .string('is required')
      .min(1, 'must not be empty')
      .meta({ description: 'The id of the batch, percent-encoded' }),
  }),
  answers: { 200: { description: 'The state of all chunks of the batch so far', schema: status } },
  problems: ['not_found'],
});
