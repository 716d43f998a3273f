import * as z from 'zod';
import { accountRecord } from './account.ts';
import type { Chunk, RecordCounts } from './chunk.ts';
import { integer, text } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { Fault } from './problem.ts';

/** `POST /v1/batches` and what is read back of it (specification, "POST /v1/batches"; contract, section 5). */
export const maxRecordsPerChunk = 500;
export const maxRecordsPerRequest = 10_000;
export const maxChunkIndex = 999_999;

/** `null` and, for `batch_id`, the empty string count as absent. */
const absent = <T>(value: T | null | undefined | ''): T | undefined =>
  value === '' ? undefined : (value ?? undefined);

export const batchRequest = z.object({
  type: z
    .enum(['account', 'accounts'], 'must be "accounts"')
    .transform(() => 'account' as const)
    .meta({ description: 'What the records are: `account` or `accounts`, which mean the same' }),
  batch_id: text(128)
    .nullish()
    .transform((value) => absent(value))
    .meta({ description: "The caller's own name for the batch. When it is left out, the service assigns a UUID" }),
  chunk_index: integer(0, maxChunkIndex)
    .nullish()
    .transform((value) => absent(value))
    .meta({
      description: 'Place of this request inside `batch_id`, from zero; together they are an idempotency key',
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

export type BatchStatus = {
  batch_id: string;
  type: 'account';
  status: 'processing' | 'completed' | 'failed';
  /** `discarded` is there only when an operator has discarded a chunk; those count nowhere else. */
  chunks: { accepted: number; completed: number; failed: number; discarded?: number };
  records: { accepted: number } & RecordCounts;
  /** Records that could not be stored: the first hundred of a batch. `record` counts within its chunk, from zero. */
  errors: { chunk: number; record: number; message: string }[];
  inserted_at: string;
  /** When the last chunk was completed, once all are. */
  completed_at: string | null;
};

const maxErrors = 100;

/** The state of a batch from the claims of its chunks; `undefined` when there are none. */
export function batchStatus(batchId: string, chunks: readonly Chunk[], most = maxErrors): BatchStatus | undefined {
  const [first] = chunks;
  if (!first) return undefined;
  const discarded = chunks.filter((chunk) => chunk.status === 'discarded').length;
  const standing = chunks.filter((chunk) => chunk.status !== 'discarded');
  const completed = standing.filter((chunk) => chunk.status === 'completed');
  const failed = standing.filter((chunk) => chunk.status === 'failed');
  const open = standing.length - completed.length - failed.length;
  const status = open > 0 ? 'processing' : failed.length > 0 ? 'failed' : 'completed';
  const total = (name: keyof RecordCounts) => completed.reduce((sum, chunk) => sum + (chunk.counts?.[name] ?? 0), 0);
  return {
    batch_id: batchId,
    type: 'account',
    status,
    chunks: {
      accepted: standing.length,
      completed: completed.length,
      failed: failed.length,
      ...(discarded > 0 ? { discarded } : {}),
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
