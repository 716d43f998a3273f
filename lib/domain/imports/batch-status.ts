import * as z from 'zod';
import { type BatchRecords, batchRecords, maxIndexes } from './batch-counts.ts';
import type { BatchStatus } from './batch-responses.ts';
import type { Chunk, RecordCounts } from './chunk.ts';

const maxErrors = 100;

/** The status of a batch, computed from the claims of its chunks. `undefined` if there are no chunks. */
export function batchStatusOf(
  batchId: string,
  chunks: readonly Chunk[],
  { most = maxErrors, expected }: { most?: number; expected?: number | undefined } = {},
): BatchStatus | undefined {
  if (chunks.length === 0) return undefined;
  const count = (status: Chunk['status']) => chunks.filter((chunk) => chunk.status === status).length;
  const accepted = chunks.filter((chunk) => chunk.status !== 'discarded');
  const completed = accepted.filter((chunk) => chunk.status === 'completed');
  const [discarded, cancelled, failed] = [count('discarded'), count('cancelled'), count('failed')];
  const repeated = chunks.reduce((sum, chunk) => sum + (chunk.repeated ?? 0), 0);
  const missing = missingOf(chunks, expected ?? 0);
  const isProcessing = count('open') > 0 || missing.length > 0;
  const status = isProcessing ? 'processing' : failed > 0 ? 'failed' : 'completed';
  const total = (name: keyof RecordCounts) => completed.reduce((sum, chunk) => sum + (chunk.counts?.[name] ?? 0), 0);
  return {
    batch_id: batchId,
    type: 'account',
    status,
    chunks: {
      accepted: accepted.length,
      completed: completed.length,
      failed,
      ...(failed > 0 ? { failed_indexes: failedIndexesOf(chunks) } : {}),
      ...(discarded > 0 ? { discarded } : {}),
      ...(cancelled > 0 ? { cancelled } : {}),
      ...(repeated > 0 ? { repeated } : {}),
      ...(expected === undefined ? {} : { expected, missing }),
    },
    records: {
      accepted: accepted.reduce((sum, chunk) => sum + chunk.records, 0),
      applied: total('applied'),
      unchanged: total('unchanged'),
      superseded: total('superseded'),
      rejected: total('rejected'),
    },
    errors: completed
      .flatMap((chunk) => (chunk.rejections ?? []).map((each) => ({ chunk: chunk.index, ...each })))
      .slice(0, most),
    inserted_at: chunks.map(({ accepted_at }) => accepted_at).sort()[0]!,
    completed_at: status === 'completed' ? (closingTimes(chunks).at(-1) ?? null) : null,
  };
}

/** A chunk as it was when it ended: it left the state `open` then, or it was failed and was discarded then. */
export type EndedChunk = Chunk & { status: Exclude<Chunk['status'], 'open'>; closed_at: string; ended: number };
/** A chunk that leaves the state `open` gets its time and its number in the same write. */
export const isEnded = (chunk: Chunk): chunk is EndedChunk => chunk.status !== 'open';

/** The version of the import state at which the chunk ended. */
export const endedAt = ({ status, ended, settled = ended }: EndedChunk): number =>
  status === 'discarded' ? settled : ended;

/**
 * The sums of the first chunks of a batch: those with an index below `to`. All of them are completed, so this never
 * changes. `ended` is the version of the import state at which the last of them ended.
 */
export const completedStart = z.object({ to: z.int(), ended: z.int(), records: batchRecords });
export type CompletedStart = z.output<typeof completedStart>;

const noRecords = { accepted: 0, applied: 0, unchanged: 0, superseded: 0, rejected: 0 };

/** The start with the completed chunks that follow it. @param chunks in the order of their indexes */
export function longerStart(
  chunks: readonly Chunk[],
  start: CompletedStart = { to: 0, ended: 0, records: noRecords },
): CompletedStart {
  let { to, ended, records } = start;
  for (const chunk of chunks) {
    // The index of a chunk without a digest is not in its key, so another one can come before it.
    if (chunk.digest === undefined || chunk.index !== to || chunk.status !== 'completed') break;
    to += 1;
    ended = Math.max(ended, chunk.ended ?? 0, chunk.settled ?? 0);
    records = sumOf(records, { ...noRecords, accepted: chunk.records, ...chunk.counts });
  }
  return { to, ended, records };
}

const sumOf = (one: BatchRecords, other: BatchRecords): BatchRecords => ({
  accepted: one.accepted + other.accepted,
  applied: one.applied + other.applied,
  unchanged: one.unchanged + other.unchanged,
  superseded: one.superseded + other.superseded,
  rejected: one.rejected + other.rejected,
});

/** How a batch ended: its status then, and the last of the chunks that ended it. */
export type EndOfBatch = { status: BatchStatus & { status: 'completed' | 'failed' }; last: EndedChunk };

/**
 * How a batch ended with this chunk, from the claims as they are now: chunks that ended later were open then, and chunks
 * that were accepted later did not exist. Chunks that are cancelled in one transaction end together, so each of them has
 * the same result once all are visible. `undefined` if the batch was still processing, or was failed and still is.
 * @param start of the batch, without the claims in `chunks`: it had ended before
 */
export function endOfBatch(
  ending: EndedChunk,
  chunks: readonly Chunk[],
  { expected, start }: { expected?: number | undefined; start?: CompletedStart | undefined } = {},
): EndOfBatch | undefined {
  const end = { ...ending, ended: endedAt(ending) };
  const then = chunks.flatMap((chunk): Chunk[] => {
    if (chunk.claim === ending.claim) return [ending];
    if (hasEndedBy(chunk, end)) return [wasStillFailed(chunk, end) ? failedOf(chunk) : chunk];
    return wasAcceptedBefore(chunk, end) ? [{ ...chunk, status: 'open' }] : [];
  });
  const found = batchStatusOf(ending.batch_id, then, { expected });
  if (!found || found.status === 'processing') return undefined;
  const records = start ? sumOf(start.records, found.records) : found.records;
  const status = { ...found, status: found.status, records };
  if (ending.status === 'discarded') return status.status === 'failed' ? undefined : { status, last: ending };
  const together = then.filter(isEnded).filter(({ ended }) => ended === ending.ended);
  const last = together.reduce((latest: EndedChunk, chunk) => (chunk.order > latest.order ? chunk : latest), ending);
  return { status, last };
}

/** Number of chunks, spread over a batch, that are looked at before all of them are read. */
const spread = 10;

/**
 * Indexes of the chunks that are the likeliest to have been open or missing when this one ended, whatever order they are
 * sent in: its neighbours and, of a batch with a `chunk_count`, some from its first to its last.
 */
export function tellingIndexes({ index }: Pick<Chunk, 'index'>, expected?: number): number[] {
  if (expected === undefined) return [index + 1];
  const over = Array.from({ length: spread }, (_, n) => Math.floor((n * (expected - 1)) / (spread - 1)));
  const isOther = (each: number) => each !== index && each >= 0 && each < expected;
  return [...new Set([index + 1, index - 1, ...over])].filter(isOther);
}

/**
 * True if this chunk alone shows that its batch was still processing when the other one ended, as {@link endOfBatch} finds
 * with all chunks. `undefined`: no chunk was accepted with an index.
 */
export function showsProcessing(chunk: Chunk | undefined, ending: EndedChunk, isExpected: boolean): boolean {
  if (!chunk) return isExpected;
  const end = { ...ending, ended: endedAt(ending) };
  return !hasEndedBy(chunk, end) && (isExpected || wasAcceptedBefore(chunk, end));
}

/** Chunks that are cancelled in one transaction have the same number. */
const hasEndedBy = (chunk: Chunk, { ended }: EndedChunk): boolean => isEnded(chunk) && chunk.ended <= ended;

/** The chunk was completed by a late attempt, or discarded, only after the other one had ended. */
const wasStillFailed = ({ settled = 0 }: Chunk, { ended }: EndedChunk): boolean => settled > ended;

const failedOf = ({ counts, rejections, ...chunk }: Chunk): Chunk => ({ ...chunk, status: 'failed' });

/**
 * False only if the chunk was certainly accepted after the other one had ended: so no event says that a batch has ended
 * that had not. If both happen at the same moment, the batch ends with the later chunk only.
 */
export const wasAcceptedBefore = (
  { accepted_after }: Pick<Chunk, 'accepted_after'>,
  { ended }: Pick<EndedChunk, 'ended'>,
): boolean => accepted_after < ended;

const closingTimes = (chunks: readonly Chunk[]): string[] => chunks.flatMap(({ closed_at }) => closed_at ?? []).sort();

/** A chunk of a request without `chunk_index` cannot be selected by its index. A digest is only stored with a pair. */
const failedIndexesOf = (chunks: readonly Chunk[]): number[] =>
  chunks
    .filter(({ status, digest }) => status === 'failed' && digest !== undefined)
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .slice(0, maxIndexes);

/** The first indexes below `expected` for which no chunk was ever accepted. */
function missingOf(chunks: readonly Chunk[], expected: number): number[] {
  const known = new Set(chunks.map(({ index }) => index));
  const missing: number[] = [];
  for (let index = 0; index < expected && missing.length < maxIndexes; index++) {
    if (!known.has(index)) missing.push(index);
  }
  return missing;
}
