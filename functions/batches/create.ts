import { createBatch } from '../../lib/http/contracts/batches.ts';
import { accepted } from '../../lib/http/reply.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { imports } from '../../lib/runtime/imports.ts';

export const handler = bearerEndpoint(createBatch, async ({ caller, body }) =>
  accepted(await acceptBatch(imports(), caller.teamId, body)),
);
