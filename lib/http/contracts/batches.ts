import * as z from 'zod';
import {
  batchAcceptance,
  batchRequest,
  chunkCountErrors,
  deduplicationErrors,
  maxChunkIndex,
  maxRecordsPerChunk,
} from '../../domain/batch.ts';
import { batchList, batchListLimits } from '../../domain/batch-list.ts';
import { batchStatus } from '../../domain/batch-status.ts';
import { contract } from '../contract.ts';
import { deduplicated } from '../openapi/conditions.ts';
import { wholeNumber } from '../params.ts';

const tag = 'Batches';
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
  refusals: deduplicationErrors,
  crossFieldErrors: chunkCountErrors,
  problems: ['conflict', 'too_many_requests'],
  responses: { 202: { description: 'Accepted for good: the records will be applied', schema: batchAcceptance } },
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
  responses: { 200: { description: 'The state of all chunks of the batch so far', schema: batchStatus } },
});

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
  responses: {
    200: {
      description: 'A page of batches, or the state of the one that was asked for',
      schema: z.union([batchList, batchStatus]),
    },
  },
  problems: ['not_found'],
});
