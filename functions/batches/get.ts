import * as z from 'zod';
import { batchStatus } from '../../lib/domain/imports/batch-responses.ts';
import { contract } from '../../lib/http/contract.ts';
import { chunkIndexParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';

const getBatch = contract<typeof responses>()({
  id: 'get-batch',
  scope: 'imports:read',
  tag: 'Batches',
  summary: 'Get the status of a batch',
  description:
    'Returns the progress of the chunks and the results of their records. Repeat the request while `status` is ' +
    '`processing`. A chunk that is accepted later makes the status `processing` again.',
  query: z.object({ chunk_index: chunkIndexParam() }),
});

const responses = () => ({
  200: { description: 'The status of all chunks of the batch so far', schema: batchStatus },
});

export const contracts = () => [{ ...getBatch, responses: responses() }];

export const handler = bearerEndpoint(getBatch, async ({ caller, params: { batch_id = '' }, query }) =>
  reply(200, await readBatch(service(), caller.teamId, batch_id, query.chunk_index)),
);
