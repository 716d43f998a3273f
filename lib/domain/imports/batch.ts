import * as z from 'zod';
import { accountRecord } from '../accounts/account-record.ts';
import { identifying, integer, text } from '../values/fields.ts';
import type { JsonObject } from '../values/json.ts';
import type { ErrorDetail } from '../values/problem.ts';
import { isOwnBatchId } from './own-batch.ts';

/** The request and response of `POST /v1/batches` (specification, "POST /v1/batches"; contract, section 5). */
export const maxRecordsPerChunk = 500;
const maxRecordsPerRequest = 10_000;
export const maxChunkIndex = 999_999;
const maxBatchIdLength = 128;

/** `null` and, for `batch_id`, the empty string count as absent. */
const absent = <T>(value: T | null | undefined | ''): T | undefined =>
  value === '' ? undefined : (value ?? undefined);

const ownBatchId = 'must not begin with "drop-" or "remove-": the service itself uses these ids';

export const batchRequest = z.object({
  type: z
    .enum(['account', 'accounts'], 'must be "account" or "accounts"')
    .transform(() => 'account' as const)
    .describe('Type of the records: `account` or `accounts`, which mean the same'),
  batch_id: identifying(text(maxBatchIdLength))
    .refine((value) => !isOwnBatchId(value), ownBatchId)
    .nullish()
    .transform((value) => absent(value))
    .describe(
      'Id of the batch, chosen by the caller. If it is left out, the service assigns a UUID. Ids that begin with ' +
        '`drop-` or `remove-` are reserved for the service and rejected, also in a repeat',
    ),
  chunk_index: integer(0, maxChunkIndex)
    .nullish()
    .transform((value) => absent(value))
    .describe('Index of this request in the batch, from zero. Together with `batch_id` it is the idempotency key'),
  chunk_count: integer(1, maxChunkIndex + 1)
    .nullish()
    .transform((value) => absent(value))
    .describe(
      'Number of chunks in the whole batch, if known. It must be the same in all chunks that send it (else 409). ' +
        'With it, the status of the batch lists the missing chunks',
    ),
  records: z
    .array(accountRecord, 'must be an array of records')
    .min(1, 'must contain at least one record')
    .max(maxRecordsPerRequest, `must contain at most ${maxRecordsPerRequest} records`)
    .describe('The accounts, in the order in which they are applied'),
});

export type BatchRequest = z.output<typeof batchRequest>;

/** Errors of a request whose idempotency key cannot be honoured (specification, "POST /v1/batches", rule 5). */
export function deduplicationErrors({ chunk_index, batch_id, records }: JsonObject): ErrorDetail[] {
  if (chunk_index === undefined || chunk_index === null) return [];
  const errors: ErrorDetail[] = [];
  if (absent(batch_id) === undefined) {
    errors.push({ path: '/batch_id', message: 'is required when chunk_index is sent' });
  }
  if (Array.isArray(records) && records.length > maxRecordsPerChunk) {
    errors.push({
      path: '/records',
      message: `must contain at most ${maxRecordsPerChunk} records when chunk_index is sent`,
    });
  }
  return errors;
}

/** The idempotency key of a request (specification, "POST /v1/batches", rule 1). */
export type Pair = { batch_id: string; chunk_index: number };

/** The pair in a body. `undefined` if there is none, or if it is invalid and therefore was never accepted. */
export function pairOf({ batch_id, chunk_index }: JsonObject): Pair | undefined {
  const id = batchRequest.shape.batch_id.safeParse(batch_id);
  const index = batchRequest.shape.chunk_index.safeParse(chunk_index);
  if (id.data === undefined || index.data === undefined) return undefined;
  return { batch_id: id.data, chunk_index: index.data };
}

/** Errors between `chunk_count` and `chunk_index` when both are valid by themselves. */
export function chunkCountErrors(body: JsonObject): ErrorDetail[] {
  const count = batchRequest.shape.chunk_count.safeParse(body.chunk_count).data;
  if (count === undefined) return [];
  const index = batchRequest.shape.chunk_index.safeParse(body.chunk_index);
  if (!index.success) return [];
  if (index.data === undefined) return [{ path: '/chunk_count', message: 'requires a chunk_index' }];
  return index.data < count
    ? []
    : [{ path: '/chunk_index', message: `must be less than chunk_count, which is ${count}` }];
}

/** The fields that identify a batch in responses. */
export const batchNames = {
  batch_id: z.string().describe('Id of the batch, from the caller or assigned by the service'),
  type: z.literal('account').describe('Type of the records'),
};

/** The response of `POST /v1/batches` (contract, section 5). */
export const batchAcceptance = z
  .object({
    ...batchNames,
    chunk_index: z.int().nullable().describe('As in the request; `null` if the request had none'),
    records: z.int().min(0).describe('Number of accepted records. For a duplicate, the number that was accepted first'),
    status: z.literal('accepted').describe('The records are stored and will be applied'),
    duplicate: z
      .boolean()
      .describe(
        'True if this `batch_id` and `chunk_index` were accepted before. The records of this request are ignored',
      ),
    same_records: z
      .boolean()
      .optional()
      .describe('For a duplicate: true if its records are the same JSON values in the same order as the accepted ones'),
    later_records: z
      .literal(true)
      .optional()
      .describe(
        'For a duplicate: other records were accepted after these, or an administrator has removed some since. What they ' +
          'changed stays',
      ),
    redriven: z
      .literal(true)
      .optional()
      .describe('For a duplicate whose chunk was failed: the chunk is open again and will be retried'),
  })
  .meta({ id: 'BatchAcceptance', description: 'The accepted chunk or request' });
export type BatchAcceptance = z.output<typeof batchAcceptance>;
