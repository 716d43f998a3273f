import { pairOf } from '../../lib/domain/imports/batch.ts';
import { createBatch } from '../../lib/http/contracts/batch-create.ts';
import { reply } from '../../lib/http/reply.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { importDependencies } from '../../lib/runtime/imports.ts';
import { digestOf } from '../../lib/store/table/digest.ts';

export const handler = bearerEndpoint(createBatch, async ({ caller, json, validate, event }) =>
  reply(
    202,
    await acceptBatch({ ...importDependencies(), requestId: event.requestContext.requestId }, caller.teamId, {
      pair: pairOf(json),
      clientId: caller.clientId,
      namesChunkCount: json.chunk_count !== undefined && json.chunk_count !== null,
      digest: () => digestOf(json.records),
      validate: () => validate().body,
    }),
  ),
);
