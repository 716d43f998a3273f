import { addressAt } from '../../lib/domain/address.ts';
import { findBatch } from '../../lib/http/contracts/batches.ts';
import { ok, pageBefore } from '../../lib/http/reply.ts';
import { listBatches, readBatch } from '../../lib/operations/imports/status.ts';
import { environment } from '../../lib/runtime/base.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(findBatch, async ({ caller: { teamId }, query }) => {
  const { batch_id, chunk_index } = query;
  if (batch_id !== undefined) return ok(await readBatch(runtime(), teamId, batch_id, chunk_index));
  const page = await listBatches(runtime(), teamId, query);
  if (page.next_cursor === undefined) return ok(page);
  return pageBefore(page, addressAt(environment().ISSUER, `/v1/batches?cursor=${page.next_cursor}`));
});
