import * as z from 'zod';
import { maxChunkIndex } from '../../domain/imports/batch.ts';
import { batchListLimits } from '../../domain/imports/batch-list.ts';
import { contract } from '../contract.ts';
import { paging, wholeNumber } from '../params.ts';
import type * as responses from '../responses/batches.ts';

const tag = 'Batches';

const chunkIndex = wholeNumber({
  description: 'Returns only the chunk with this `chunk_index`, and all its rejected records',
  minimum: 0,
  maximum: maxChunkIndex,
});

export const getBatch = contract<typeof responses.getBatch>()({
  id: 'get-batch',
  scope: 'imports:read',
  tag,
  summary: 'Get the status of a batch',
  description:
    'Returns the progress of the chunks and the results of their records. Repeat the request while `status` is ' +
    '`processing`. A chunk that is accepted later makes the status `processing` again.',
  query: z.object({ chunk_index: chunkIndex }),
});

export const findBatch = contract<typeof responses.findBatch>()({
  id: 'find-batch',
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
      .describe('Returns the status of this batch instead of a list'),
    chunk_index: chunkIndex,
    ...paging('Batches', batchListLimits),
  }),
  meaningless: ({ batch_id }) => (batch_id === undefined ? ['chunk_index'] : ['limit', 'cursor']),
  problems: ['not_found'],
});
