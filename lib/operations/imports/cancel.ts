import { cancellation, isCancellable, noteCancelled } from '../../domain/chunk.ts';
import { notFound } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { loadBatch } from '../../store/claims.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { type ChunkTransition, commitTransitions, loadImportState } from '../../store/import-work.ts';
import { type ImportDependencies, maxRounds } from './dependencies.ts';

/** Chunks that are cancelled in one transaction, which takes a hundred writes. */
const atOnce = 40;

/** Chunks cancelled by this call, and those that were left because a worker had begun them or they had ended. */
export type CancelReport = { cancelled: number; left: number };

/**
 * Cancels the chunks of a batch that no worker has begun; what was applied stays (contract, section 5). Running it
 * again cancels what is still open then.
 * @throws Problem `not_found` when the team has no such batch.
 */
export async function cancelBatch(
  { database, now, pause }: Pick<ImportDependencies, 'database' | 'now' | 'pause'>,
  teamId: string,
  batchId: string,
): Promise<CancelReport> {
  let cancelled = 0;
  let lost = 0;
  for (;;) {
    const { chunks } = await loadBatch(database, teamId, batchId);
    if (chunks.length === 0) throw notFound();
    const state = await loadImportState(database, teamId);
    const cancellable = chunks.filter((chunk) => isCancellable(chunk, state));
    // The last chunks first: a worker comes from the other end.
    const [first, ...others] = cancellable.toSorted((a, b) => b.order - a.order).slice(0, atOnce);
    if (!first) return { cancelled, left: chunks.length - cancelled };
    const time = timestamp(now());
    const change = cancellation(time);
    const transitions: [ChunkTransition, ...ChunkTransition[]] = [
      { chunk: first, change },
      ...others.map((chunk) => ({ chunk, change })),
    ];
    if (await commitTransitions(database, transitions, state, noteCancelled(state, [first, ...others], time))) {
      cancelled += transitions.length;
      lost = 0;
    } else if (++lost === maxRounds) throw new StoreUnavailable("the team's import state is contended");
    else await pause(lost);
  }
}
