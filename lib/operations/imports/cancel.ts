import { cancellation, isCancellable, recordCancellation } from '../../domain/chunk.ts';
import { notFound } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { loadBatch } from '../../store/claims.ts';
import { type ChunkTransition, commitTransitions, loadImportState } from '../../store/import-work.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ImportDependencies } from './dependencies.ts';

/** Chunks that are cancelled in one transaction, which takes a hundred writes. */
const atOnce = 40;

/** Chunks cancelled by this call, and those that were left because a worker had begun them or they had ended. */
export type CancelReport = { cancelled: number; left: number };

type CancelDependencies = Pick<ImportDependencies, 'database' | 'now' | 'pause'>;

/**
 * Cancels the chunks of a batch that no worker has begun; what was applied stays (contract, section 5). Running it
 * again cancels what is still open then.
 * @throws Problem `not_found` when the team has no such batch.
 */
export async function cancelBatch(
  dependencies: CancelDependencies,
  teamId: string,
  batchId: string,
): Promise<CancelReport> {
  for (let cancelled = 0; ; ) {
    const { more, chunks } = await untilWritten(dependencies, "the team's import state is contended", () =>
      cancelSome(dependencies, teamId, batchId),
    );
    if (more === 0) return { cancelled, left: chunks - cancelled };
    cancelled += more;
  }
}

/** Cancels as many chunks as one transaction can. @returns how many, and how many the batch has. */
async function cancelSome(
  { database, now }: CancelDependencies,
  teamId: string,
  batchId: string,
): Promise<{ more: number; chunks: number } | typeof lostRace> {
  const { chunks } = await loadBatch(database, teamId, batchId);
  if (chunks.length === 0) throw notFound();
  const state = await loadImportState(database, teamId);
  const cancellable = chunks.filter((chunk) => isCancellable(chunk, state));
  // The last chunks first: a worker comes from the other end.
  const [first, ...others] = cancellable.toSorted((a, b) => b.order - a.order).slice(0, atOnce);
  if (!first) return { more: 0, chunks: chunks.length };
  const time = timestamp(now());
  const change = cancellation(time);
  const transitions: [ChunkTransition, ...ChunkTransition[]] = [
    { chunk: first, change },
    ...others.map((chunk) => ({ chunk, change })),
  ];
  const isWritten = await commitTransitions(
    database,
    transitions,
    state,
    recordCancellation(state, [first, ...others], time),
  );
  return isWritten ? { more: transitions.length, chunks: chunks.length } : lostRace;
}
