import { findBatch } from '../../lib/http/contracts/batches.ts';
import { ok } from '../../lib/http/reply.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(findBatch, async ({ caller, query }) =>
  ok(await readBatch(runtime(), caller.teamId, query.batch_id, query.chunk_index)),
);
