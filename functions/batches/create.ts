import { createBatch } from '../../lib/http/contracts/batches.ts';
import { accepted } from '../../lib/http/reply.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import { handlerFor, imports } from '../../lib/runtime.ts';

export const handler = handlerFor(createBatch, async ({ caller, body }) =>
  accepted(await acceptBatch(imports(), caller.teamId, body)),
);
