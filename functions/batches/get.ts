import { getBatch } from '../../lib/http/contracts/batches.ts';
import { reply } from '../../lib/http/reply.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(getBatch, async ({ caller, params: { batch_id = '' }, query }) =>
  reply(200, await readBatch(runtime(), caller.teamId, batch_id, query.chunk_index)),
);
