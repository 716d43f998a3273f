import * as z from 'zod';
import {
  batchRequest,
  chunkCountFaults,
  deduplicationFaults,
  maxChunkIndex,
  maxRecordsPerChunk,
} from '../../domain/batch.ts';
import { batchListLimits } from '../../domain/batch-list.ts';
import { contract } from '../contract.ts';
import { deduplicated } from '../openapi/conditions.ts';
import { wholeNumber } from '../params.ts';

const tag = 'Batches';
const count = (description: string) => z.int().min(0).meta({ description });

const batch_id = z.string().meta({ description: 'The batch, as the caller named it or as the service did' });
const type = z.literal('account').meta({ description: 'What the records are' });

const acceptance = z
  .object({
    batch_id,
    type,
    chunk_index: z.int().nullable().meta({ description: 'As sent; `null` when the request had none' }),
    records: count('Records accepted; of a duplicate, as first accepted'),
    status: z.literal('accepted').meta({ description: 'The records are stored, and will be applied' }),
    duplicate: z.boolean().meta({
      description: 'The pair of batch_id and chunk_index was accepted before: these records were ignored',
    }),
    same_records: z.boolean().optional().meta({
      description: 'Of a duplicate: whether its records are the same JSON values in the same order as those accepted',
    }),
    redriven: z.literal(true).optional().meta({
      description: 'Of a duplicate whose chunk stood failed: it was put back among the chunks to be applied',
    }),
  })
  .meta({ id: 'BatchAcceptance', description: 'What was accepted' });

const status = z
  .object({
    batch_id,
    type,
    status: z.enum(['processing', 'completed', 'failed']).meta({
      description: '`processing` while a chunk is open or missing; else `failed` if one failed, else `completed`',
    }),
    chunks: z
      .object({
        accepted: count('Chunks accepted and not discarded'),
        completed: count('Chunks whose records have been applied'),
        failed: count('Chunks that stand failed, with their records kept'),
        discarded: count('Chunks that an operator gave up; there only when there are any').optional(),
        cancelled: count('Chunks that were cancelled before they were begun; there only when there are any').optional(),
        expected: count('`chunk_count`, where a chunk has named it').optional(),
        missing: z
          .array(z.int().min(0))
          .max(100)
          .optional()
          .meta({ description: 'With `expected`: the first hundred indexes that no chunk was accepted for yet' }),
      })
      .meta({
        id: 'BatchChunks',
        description: 'The requests, or server-side parts of one, that the batch consists of',
      }),
    records: z
      .object({
        accepted: count('Records of those chunks'),
        applied: count('Records that changed something'),
        unchanged: count('Records that said what was stored already'),
        superseded: count('Records of a chunk that came late, over which a later chunk had been applied already'),
        rejected: count('Records that could not be stored; see errors'),
      })
      .meta({
        id: 'BatchRecords',
        description: 'The records: of completed chunks, the last four add up to what was accepted',
      }),
    errors: z
      .array(
        z
          .object({
            chunk: count('chunk_index, or the place of the chunk in an upload without one'),
            record: count('Place of the record within its chunk, from zero'),
            message: z.string().meta({ description: 'Why the record could not be stored' }),
          })
          .meta({ id: 'RejectedRecord', description: 'A record that could not be stored' }),
      )
      .meta({ description: 'Records that could not be stored: the first hundred, and of a single chunk all' }),
    inserted_at: z.iso.datetime().meta({ description: 'When the first chunk was accepted' }),
    completed_at: z.iso.datetime().nullable().meta({ description: 'When the last chunk ended, once all have' }),
  })
  .meta({ id: 'BatchStatus', description: 'How far a batch is' });

export const createBatch = contract({
  id: 'create-batch',
  scope: 'imports:write',
  tag,
  summary: 'Import accounts',
  description:
    'Accepts up to 10,000 account records and applies them in the background, after every batch of the team that was ' +
    'accepted before. Together `batch_id` and `chunk_index` are an idempotency key, for at most 500 records: a repeat ' +
    'of a pair that was accepted is ignored, so it is safe to resend after a timeout or a 5xx. Each set of records ' +
    'needs a `chunk_index` of its own. A request with an invalid record is rejected as a whole, and its pair stays ' +
    'free. Contacts in bulk go to `POST /v1/contacts`.',
  body: batchRequest.meta({
    id: 'BatchInput',
    description: 'Account records to import',
    ...deduplicated(maxRecordsPerChunk),
  }),
  isValidatedLate: true,
  refusals: deduplicationFaults,
  crossFaults: chunkCountFaults,
  problems: ['conflict', 'too_many_requests'],
  answers: { 202: { description: 'Accepted for good: the records will be applied', schema: acceptance } },
});

const chunkIndex = wholeNumber({
  description: 'Only the chunk that was sent with this `chunk_index`, and every record of it that was rejected',
  minimum: 0,
  maximum: maxChunkIndex,
});

export const getBatch = contract({
  id: 'get-batch',
  scope: 'imports:read',
  tag,
  summary: 'State of a batch',
  description:
    'How far the chunks of the batch are, and what came of their records. Ask again while `status` is `processing`; a ' +
    'chunk that is accepted later makes it `processing` again.',
  query: z.object({ chunk_index: chunkIndex }),
  answers: { 200: { description: 'The state of all chunks of the batch so far', schema: status } },
});

const list = z
  .object({
    batches: z
      .array(status.omit({ errors: true }).meta({ id: 'BatchSummary', description: 'How far a batch is' }))
      .meta({ description: 'The batches of the page, without their errors' }),
    limit: z.int().meta({ description: 'As asked for' }),
    has_more: z.boolean().meta({ description: 'Whether there are older batches' }),
    next_cursor: z.string().optional().meta({ description: 'While there is more: what `cursor` continues with' }),
  })
  .meta({ id: 'BatchList', description: "A page of the team's batches, the newest first" });

export const findBatch = contract({
  id: 'find-batch',
  scope: 'imports:read',
  tag,
  summary: "The team's batches, or the state of one",
  description:
    "Lists the team's batches, the newest first. With `batch_id` the same as `GET /v1/batches/{batch_id}`, for ids " +
    'that a path cannot carry, such as `..`.',
  query: z.object({
    batch_id: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Only this batch, as a single state and not a list; percent-encoded' }),
    chunk_index: chunkIndex,
    limit: wholeNumber({ description: 'Batches per page', minimum: 1, ...batchListLimits }),
    cursor: z.string().min(1, 'must not be empty').optional().meta({ description: '`next_cursor` of the page before' }),
  }),
  answers: {
    200: {
      description: 'A page of batches, or the state of the one that was asked for',
      schema: z.union([list, status]),
    },
  },
  problems: ['not_found'],
});
