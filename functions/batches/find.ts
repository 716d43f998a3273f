import { findBatch } from '../../lib/http/contracts/batches.ts';
import { ok } from '../../lib/http/reply.ts';
import { readBatch } from '../../lib/operations/imports/status.ts';
import { handlerFor, runtime } from '../../lib/runtime.ts';

export const handler = handlerFor(findBatch, async ({ caller, query }) =>
  ok(await readBatch(runtime(), caller.teamId, query.batch_id)),
);
