import * as z from 'zod';
import { accountRecord } from './account-record.ts';
import { identifying, integer, text } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { ErrorDetail } from './problem.ts';

/** `POST /v1/batches` and what is read back of it (specification, "POST /v1/batches"; contract, section 5). */
export const maxRecordsPerChunk = 500;
export const maxRecordsPerRequest = 10_000;
export const maxChunkIndex = 999_999;
export const maxBatchIdLength = 128;

/** `null` and, for `batch_id`, the empty string count as absent. */
const absent = <T>(value: T | null | undefined | ''): T | undefined =>
  value === '' ? undefined : (value ?? undefined);

export const batchRequest = z.object({
  type: z
    .enum(['account', 'accounts'], 'must be "accounts"')
    .transform(() => 'account' as const)
    .meta({ description: 'What the records are: `account` or `accounts`, which mean the same' }),
  batch_id: identifying(text(maxBatchIdLength))
    .nullish()
    .transform((value) => absent(value))
    .meta({ description: "The caller's own name for the batch. When it is left out, the service assigns a UUID" }),
  chunk_index: integer(0, maxChunkIndex)
    .nullish()
    .transform((value) => absent(value))
    .meta({
      description: 'Place of this request inside `batch_id`, from zero; together they are an idempotency key',
    }),
  chunk_count: integer(1, maxChunkIndex + 1)
    .nullish()
    .transform((value) => absent(value))
    .meta({
      description:
        'How many chunks the whole batch has, where you know it. All chunks that name it must agree (409 if not). ' +
        'With it the state of the batch names the chunks that are missing',
    }),
  records: z
    .array(accountRecord, 'must be an array of records')
    .min(1, 'must hold at least one record')
    .max(maxRecordsPerRequest, `must hold at most ${maxRecordsPerRequest} records`)
    .meta({ description: 'The accounts, applied in their order' }),
});

export type BatchRequest = z.output<typeof batchRequest>;

/** Why a request that asks for de-duplication cannot have it (specification, "POST /v1/batches", rule 5). */
export function deduplicationErrors({ chunk_index, batch_id, records }: JsonObject): ErrorDetail[] {
  if (chunk_index === undefined || chunk_index === null) return [];
  const errors: ErrorDetail[] = [];
  if (absent(batch_id) === undefined) {
    errors.push({ path: '/batch_id', message: 'is required when chunk_index is sent' });
  }
  if (Array.isArray(records) && records.length > maxRecordsPerChunk) {
    errors.push({
      path: '/records',
      message: `must hold at most ${maxRecordsPerChunk} records when chunk_index is sent`,
    });
  }
  return errors;
}

/** The idempotency key of a request (specification, "POST /v1/batches", rule 1). */
export type Pair = { batch_id: string; chunk_index: number };

/** The pair that a body names; `undefined` where it names none, or none that could ever have been accepted. */
export function pairOf({ batch_id, chunk_index }: JsonObject): Pair | undefined {
  const id = batchRequest.shape.batch_id.safeParse(batch_id);
  const index = batchRequest.shape.chunk_index.safeParse(chunk_index);
  if (id.data === undefined || index.data === undefined) return undefined;
  return { batch_id: id.data, chunk_index: index.data };
}

/** What is wrong between `chunk_count` and `chunk_index`, where each is right by itself. */
export function chunkCountErrors(body: JsonObject): ErrorDetail[] {
  const count = batchRequest.shape.chunk_count.safeParse(body.chunk_count).data;
  if (count === undefined) return [];
  const index = batchRequest.shape.chunk_index.safeParse(body.chunk_index);
  if (!index.success) return [];
  if (index.data === undefined) return [{ path: '/chunk_count', message: 'needs a chunk_index beside it' }];
  return index.data < count ? [] : [{ path: '/chunk_index', message: `must be below chunk_count, ${count}` }];
}

/** What responses call a batch by. */
export const batchNames = {
  batch_id: z.string().meta({ description: 'The batch, as the caller named it or as the service did' }),
  type: z.literal('account').meta({ description: 'What the records are' }),
};

/** The response of `POST /v1/batches` (contract, section 5). */
export const batchAcceptance = z
  .object({
    ...batchNames,
    chunk_index: z.int().nullable().meta({ description: 'As sent; `null` when the request had none' }),
    records: z.int().min(0).meta({ description: 'Records accepted; of a duplicate, as first accepted' }),
    status: z.literal('accepted').meta({ description: 'The records are stored, and will be applied' }),
    duplicate: z.boolean().meta({
      description: 'The pair of batch_id and chunk_index was accepted before: these records were ignored',
    }),
    same_records: z.boolean().optional().meta({
      description: 'Of a duplicate: whether its records are the same JSON values in the same order as those accepted',
    }),
    redriven: z.literal(true).optional().meta({
      description: 'Of a duplicate whose chunk stood failed: it was put back among the chunks to be applied',
    }),
  })
  .meta({ id: 'BatchAcceptance', description: 'What was accepted' });
export type BatchAcceptance = z.output<typeof batchAcceptance>;
