import {
  batchAcceptance,
  batchRequest,
  chunkCountErrors,
  deduplicationErrors,
  maxRecordsPerChunk,
  pairOf,
} from '../../lib/domain/imports/batch.ts';
import { isOwnBatchId } from '../../lib/domain/imports/own-batch.ts';
import { contract } from '../../lib/http/contract.ts';
import { deduplicated } from '../../lib/http/openapi/conditions.ts';
import { reply } from '../../lib/http/reply.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { importService } from '../../lib/runtime/imports.ts';
import { digestOf } from '../../lib/store/table/digest.ts';

const createBatch = contract<typeof responses>()({
  id: 'create-batch',
  scope: 'imports:write',
  tag: 'Batches',
  summary: 'Import accounts',
  description:
    'Accepts up to 10,000 account records and applies them in the background, after every earlier batch of the team. ' +
    '`batch_id` and `chunk_index` together are an idempotency key for at most 500 records: a repeated request ' +
    'with an accepted pair is ignored, so you can retry after a timeout or a 5xx. Use a different `chunk_index` for ' +
    'each set of records. If a record is invalid, the whole request is rejected and you can send the corrected request ' +
    'with the same pair. To send many contacts, use `POST /v1/contacts`.',
  body: batchRequest.meta({
    id: 'BatchInput',
    description: 'Account records to import',
    ...deduplicated(maxRecordsPerChunk),
  }),
  isValidatedLate: true,
  // A reserved id is 422 with whatever else is wrong.
  refusals: (body) => (isOwnBatchId(body.batch_id) ? [] : deduplicationErrors(body)),
  crossFieldErrors: (body) => [
    ...chunkCountErrors(body),
    ...(isOwnBatchId(body.batch_id) ? deduplicationErrors(body) : []),
  ],
  problems: ['conflict', 'too_many_requests'],
});

const responses = () => ({
  202: { description: 'The records are stored durably and will be applied', schema: batchAcceptance },
});

export const contracts = () => [{ ...createBatch, responses: responses() }];

export const handler = bearerEndpoint(createBatch, async ({ caller, json, validate }) =>
  reply(
    202,
    await acceptBatch(importService(), caller, {
      pair: pairOf(json),
      namesChunkCount: json.chunk_count !== undefined && json.chunk_count !== null,
      digest: () => digestOf(json.records),
      validate: () => validate().body,
    }),
  ),
);
