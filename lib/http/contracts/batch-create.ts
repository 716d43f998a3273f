import { batchRequest, chunkCountErrors, deduplicationErrors, maxRecordsPerChunk } from '../../domain/imports/batch.ts';
import { isOwnBatchId } from '../../domain/imports/own-batch.ts';
import { contract } from '../contract.ts';
import { deduplicated } from '../openapi/conditions.ts';
import type * as responses from '../responses/batches.ts';

export const createBatch = contract<typeof responses.createBatch>()({
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
