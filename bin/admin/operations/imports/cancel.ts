import { cancellation, isCancellable, recordCancellation } from '../../../../lib/domain/imports/chunk.ts';
import { isDropBatchId } from '../../../../lib/domain/imports/own-batch.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { loadBatch, markCancelled } from '../../../../lib/store/imports/claims.ts';
import { type ChunkTransition, commitTransitions, loadImportState } from '../../../../lib/store/imports/import-work.ts';

/** Chunks that one transaction cancels. Each takes two writes, and a transaction has at most 100. */
const chunksPerTransaction = 40;

/** Chunks that this call cancelled, and chunks that it left because a worker had begun them or they had ended. */
export type CancelReport = { cancelled: number; left: number };

/**
 * Cancels the chunks of a batch that no worker has begun. Records that were applied are kept (contract, section 5). A
 * second call cancels the chunks that are open then. If the batch is a dropped file, the rest of it is not read.
 * @throws Problem `not_found` if the team has no such batch.
 */
export async function cancelBatch(service: Service, teamId: string, batchId: string): Promise<CancelReport> {
  if (isDropBatchId(batchId)) {
    await markCancelled(service.database, teamId, batchId, timestamp(service.now()));
  }
  for (let cancelled = 0; ; ) {
    const { count, chunks } = await untilWritten(service, "too many conflicts on the team's import state", () =>
      cancelSome(service, teamId, batchId),
    );
    if (count === 0) return { cancelled, left: chunks - cancelled };
    cancelled += count;
  }
}

/** Cancels as many chunks as one transaction can. @returns their number, and the number of chunks of the batch. */
async function cancelSome(
  { database, now }: Service,
  teamId: string,
  batchId: string,
): Promise<{ count: number; chunks: number } | typeof lostRace> {
  const { chunks } = await loadBatch(database, teamId, batchId);
  if (chunks.length === 0) throw notFound();
  const state = await loadImportState(database, teamId);
  const cancellable = chunks.filter((chunk) => isCancellable(chunk, state));
  // The last chunks first, because a worker begins with the first.
  const [first, ...others] = cancellable.toSorted((a, b) => b.order - a.order).slice(0, chunksPerTransaction);
  if (!first) return { count: 0, chunks: chunks.length };
  const time = timestamp(now());
  const change = cancellation(state, time);
  const transitions: [ChunkTransition, ...ChunkTransition[]] = [
    { chunk: first, change },
    ...others.map((chunk) => ({ chunk, change })),
  ];
  const isWritten = await commitTransitions(
    database,
    transitions,
    state,
    recordCancellation(state, [first, ...others]),
  );
  return isWritten ? { count: transitions.length, chunks: chunks.length } : lostRace;
}
