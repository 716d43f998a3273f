import * as z from 'zod';
import { accountRecord } from './account-record.ts';
import type { Chunk, RecordCounts } from './chunk.ts';
import { identifying, integer, text } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { Fault } from './problem.ts';

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
export function deduplicationFaults({ chunk_index, batch_id, records }: JsonObject): Fault[] {
  if (chunk_index === undefined || chunk_index === null) return [];
  const faults: Fault[] = [];
  if (absent(batch_id) === undefined) {
    faults.push({ path: '/batch_id', message: 'is required when chunk_index is sent' });
  }
  if (Array.isArray(records) && records.length > maxRecordsPerChunk) {
    faults.push({
      path: '/records',
      message: `must hold at most ${maxRecordsPerChunk} records when chunk_index is sent`,
    });
  }
  return faults;
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
export function chunkCountFaults(body: JsonObject): Fault[] {
  const count = batchRequest.shape.chunk_count.safeParse(body.chunk_count).data;
  if (count === undefined) return [];
  const index = batchRequest.shape.chunk_index.safeParse(body.chunk_index);
  if (!index.success) return [];
  if (index.data === undefined) return [{ path: '/chunk_count', message: 'needs a chunk_index beside it' }];
  return index.data < count ? [] : [{ path: '/chunk_index', message: `must be below chunk_count, ${count}` }];
}

export type BatchStatus = {
  batch_id: string;
  type: 'account';
  status: 'processing' | 'completed' | 'failed';
  chunks: {
    accepted: number;
    completed: number;
    failed: number;
    /** There only when an operator has discarded a chunk; those count nowhere else. */
    discarded?: number;
    /** There only when an operator has cancelled a chunk; those count as accepted. */
    cancelled?: number;
    /** There only when a chunk named a `chunk_count`: that, and the first hundred indexes that were not accepted. */
    expected?: number;
    missing?: number[];
  };
  records: { accepted: number } & RecordCounts;
  /** Records that could not be stored: the first hundred of a batch. `record` counts within its chunk, from zero. */
  errors: { chunk: number; record: number; message: string }[];
  inserted_at: string;
  /** When the last chunk ended, once all have. */
  completed_at: string | null;
};

const maxErrors = 100;
const maxMissing = 100;

/** The state of a batch from the claims of its chunks; `undefined` when there are none. */
export function batchStatus(
  batchId: string,
  chunks: readonly Chunk[],
  { most = maxErrors, expected }: { most?: number; expected?: number | undefined } = {},
): BatchStatus | undefined {
  const [first] = chunks;
  if (!first) return undefined;
  const count = (status: Chunk['status']) => chunks.filter((chunk) => chunk.status === status).length;
  const standing = chunks.filter((chunk) => chunk.status !== 'discarded');
  const completed = standing.filter((chunk) => chunk.status === 'completed');
  const [discarded, cancelled, failed] = [count('discarded'), count('cancelled'), count('failed')];
  const missing = expected === undefined ? [] : missingOf(chunks, expected);
  const isProcessing = count('open') > 0 || missing.length > 0;
  const status = isProcessing ? 'processing' : failed > 0 ? 'failed' : 'completed';
  const total = (name: keyof RecordCounts) => completed.reduce((sum, chunk) => sum + (chunk.counts?.[name] ?? 0), 0);
  return {
    batch_id: batchId,
    type: 'account',
    status,
    chunks: {
      accepted: standing.length,
      completed: completed.length,
      failed,
      ...(discarded > 0 ? { discarded } : {}),
      ...(cancelled > 0 ? { cancelled } : {}),
      ...(expected === undefined ? {} : { expected, missing }),
    },
    records: {
      accepted: standing.reduce((sum, chunk) => sum + chunk.records, 0),
      applied: total('applied'),
      unchanged: total('unchanged'),
      superseded: total('superseded'),
      rejected: total('rejected'),
    },
    errors: completed
      .flatMap((chunk) => (chunk.rejections ?? []).map((each) => ({ chunk: chunk.index, ...each })))
      .slice(0, most),
    inserted_at: chunks.reduce(
      (least, { accepted_at }) => (accepted_at < least ? accepted_at : least),
      first.accepted_at,
    ),
    completed_at:
      status === 'completed'
        ? chunks.reduce<string | null>(
            (last, { closed_at }) => (closed_at && closed_at > (last ?? '') ? closed_at : last),
            null,
          )
        : null,
  };
}

/** The first indexes below `expected` that no chunk was ever accepted for. */
function missingOf(chunks: readonly Chunk[], expected: number): number[] {
  const there = new Set(chunks.map(({ index }) => index));
  const missing: number[] = [];
  for (let index = 0; index < expected && missing.length < maxMissing; index++) {
    if (!there.has(index)) missing.push(index);
  }
  return missing;
}
