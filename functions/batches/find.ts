import { batchListPages } from '../../lib/domain/imports/batch-list.ts';
import { findBatch } from '../../lib/http/contracts/batches.ts';
import { reply } from '../../lib/http/reply.ts';
import { listBatches, readBatch } from '../../lib/operations/imports/status.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = listEndpoint(findBatch, batchListPages, async ({ caller: { teamId }, query }) => {
  const { batch_id, chunk_index } = query;
  if (batch_id !== undefined) return reply(200, await readBatch(runtime(), teamId, batch_id, chunk_index));
  const page = await listBatches(runtime(), teamId, query);
  return reply(200, page, nextPageOf('/v1/batches', page.next_cursor));
});
