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
import { cursorParam, wholeNumber } from '../params.ts';

const tag = 'Batches';
export const createBatch = contract({
  id: 'create-batch',
  scope: 'imports:write',
  tag,
  summary: 'Import accounts',
  description:
    'Accepts up to 10,000 account records and applies them in the background, after every earlier batch of the team. ' +
    '`batch_id` and `chunk_index` together are an idempotency key for at most 500 records: a repeated request ' +
    'with an accepted pair is ignored, so you can retry after a timeout or a 5xx. Use a different `chunk_index` for ' +
    'each set of records. If a record is invalid, the whole request is rejected and you can send the corrected request ' +
    'with the same pair. To send many contacts, use `POST /v1/contacts`.',
  body: batchRequest.meta({
    id: 'BatchInput',
    description: 'Account records to import',
    ...deduplicated(maxRecordsPerChunk),
  }),
  isValidatedLate: true,
  refusals: deduplicationErrors,
  crossFieldErrors: chunkCountErrors,
  problems: ['conflict', 'too_many_requests'],
  responses: { 202: { description: 'The records are stored durably and will be applied', schema: batchAcceptance } },
});

const chunkIndex = wholeNumber({
  description: 'Returns only the chunk with this `chunk_index`, and all its rejected records',
  minimum: 0,
  maximum: maxChunkIndex,
});

export const getBatch = contract({
  id: 'get-batch',
  scope: 'imports:read',
  tag,
  summary: 'Get the status of a batch',
  description:
    'Returns the progress of the chunks and the results of their records. Repeat the request while `status` is ' +
    '`processing`. A chunk that is accepted later makes the status `processing` again.',
  query: z.object({ chunk_index: chunkIndex }),
  responses: { 200: { description: 'The status of all chunks of the batch so far', schema: batchStatus } },
});

export const findBatch = contract({
  id: 'find-batch',
  isValidatedLate: true,
  scope: 'imports:read',
  tag,
  summary: 'List batches, or get the status of one',
  description:
    "Lists the team's batches, newest first. With `batch_id` it returns the same as `GET /v1/batches/{batch_id}`. Use " +
    'it for ids that cannot be in a path, such as `..`.',
  query: z.object({
    batch_id: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Returns the status of this batch instead of a list' }),
    chunk_index: chunkIndex,
    limit: wholeNumber({ description: 'Batches per page', minimum: 1, ...batchListLimits }),
    cursor: cursorParam(),
  }),
  responses: {
    200: {
      description: 'A page of batches, or the status of the batch with this `batch_id`',
      schema: z.union([batchList, batchStatus]),
    },
  },
  problems: ['not_found'],
});
