import * as z from 'zod';
import { batchListLimits, batchListPages } from '../../lib/domain/imports/batch-list.ts';
import { batchList, batchStatus } from '../../lib/domain/imports/batch-responses.ts';
import { contract, nextPage } from '../../lib/http/contract.ts';
import { chunkIndexParam, paging } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { listBatches, readBatch } from '../../lib/operations/imports/status.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { service } from '../../lib/runtime/table.ts';

const findBatch = contract<typeof responses>()({
  id: 'find-batch',
  scope: 'imports:read',
  tag: 'Batches',
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
    chunk_index: chunkIndexParam(),
    ...paging('Batches', batchListLimits),
  }),
  meaningless: ({ batch_id }) => (batch_id === undefined ? ['chunk_index'] : ['limit', 'cursor']),
  problems: ['not_found'],
});

const responses = () => ({
  200: {
    description: 'A page of batches, or the status of the batch with this `batch_id`',
    schema: z.union([batchList, batchStatus]),
    headers: nextPage,
  },
});

export const contracts = () => [{ ...findBatch, responses: responses() }];

export const handler = listEndpoint(findBatch, batchListPages, async ({ caller: { teamId }, query }) => {
  const { batch_id, chunk_index } = query;
  if (batch_id !== undefined) return reply(200, await readBatch(service(), teamId, batch_id, chunk_index));
  const page = await listBatches(service(), teamId, query);
  return reply(200, page, nextPageOf('/v1/batches', page.next_cursor));
});
