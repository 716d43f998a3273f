import * as z from 'zod';
import { batchNames } from './batch.ts';
import type { Chunk, RecordCounts } from './chunk.ts';

const count = (description: string) => z.int().min(0).meta({ description });

/** How far a batch is (contract, section 5). */
export const batchStatus = z
  .object({
    ...batchNames,
    status: z.enum(['processing', 'completed', 'failed']).meta({
      description: '`processing` while a chunk is open or missing; else `failed` if one failed, else `completed`',
    }),
    chunks: z
      .object({
        accepted: count('Chunks accepted and not discarded'),
        completed: count('Chunks whose records have been applied'),
        failed: count('Chunks that stand failed, with their records kept'),
        discarded: count('Chunks that an operator gave up; there only when there are any').optional(),
        cancelled: count('Chunks that were cancelled before they were begun; there only when there are any').optional(),
        expected: count('`chunk_count`, where a chunk has named it').optional(),
        missing: z
          .array(z.int().min(0))
          .max(100)
          .optional()
          .meta({ description: 'With `expected`: the first hundred indexes that no chunk was accepted for yet' }),
      })
      .meta({
        id: 'BatchChunks',
        description: 'The requests, or server-side parts of one, that the batch consists of',
      }),
    records: z
      .object({
        accepted: count('Records of those chunks'),
        applied: count('Records that changed something'),
        unchanged: count('Records that said what was stored already'),
        superseded: count('Records of a chunk that came late, over which a later chunk had been applied already'),
        rejected: count('Records that could not be stored; see errors'),
      })
      .meta({
        id: 'BatchRecords',
        description: 'The records: of completed chunks, the last four add up to what was accepted',
      }),
    errors: z
      .array(
        z
          .object({
            chunk: count('chunk_index, or the place of the chunk in an upload without one'),
            record: count('Place of the record within its chunk, from zero'),
            message: z.string().meta({ description: 'Why the record could not be stored' }),
          })
          .meta({ id: 'RejectedRecord', description: 'A record that could not be stored' }),
      )
      .meta({ description: 'Records that could not be stored: the first hundred, and of a single chunk all' }),
    inserted_at: z.iso.datetime().meta({ description: 'When the first chunk was accepted' }),
    completed_at: z.iso.datetime().nullable().meta({ description: 'When the last chunk ended, once all have' }),
  })
  .meta({ id: 'BatchStatus', description: 'How far a batch is' });
export type BatchStatus = z.output<typeof batchStatus>;

const maxErrors = 100;
const maxMissing = 100;

/** The state of a batch from the claims of its chunks; `undefined` when there are none. */
export function batchStatusOf(
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
