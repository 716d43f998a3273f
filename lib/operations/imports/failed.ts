import { type Chunk, type ChunkRef, discard } from '../../domain/chunk.ts';
import { notFound } from '../../domain/problem.ts';
import { commitTransition, loadChunkAndState, noteHandOver, watchedChunks } from '../../store/claims.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { releasePayload } from '../../store/payloads.ts';
import { handOverOf, type ImportDependencies, maxRounds, timestamp } from './dependencies.ts';

/** The chunks that stand failed, of one team or of all, oldest first. */
export async function listFailed(
  { database }: Pick<ImportDependencies, 'database'>,
  teamId?: string,
): Promise<Chunk[]> {
  const failed: Chunk[] = [];
  for await (const page of watchedChunks(database, 'failed')) {
    failed.push(...page.filter((chunk) => teamId === undefined || chunk.team_id === teamId));
  }
  return failed;
}

/** Hands a failed chunk to the queue again. It stays failed, and counted so, until it completes. */
export async function redrive(
  { database, queue, now, newId }: Pick<ImportDependencies, 'database' | 'queue' | 'now' | 'newId'>,
  chunk: Chunk,
): Promise<void> {
  await queue.send(handOverOf(chunk), newId());
  await noteHandOver(database, chunk, timestamp(now()));
}

/**
 * Gives up a failed chunk for good; its pair may then be accepted anew.
 * @throws Problem `not_found` when the chunk no longer stands failed.
 */
export async function discardFailed(
  { database, now }: Pick<ImportDependencies, 'database' | 'now'>,
  teamId: string,
  ref: ChunkRef,
): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const { chunk, state } = await loadChunkAndState(database, teamId, ref);
    if (chunk?.status !== 'failed') throw notFound();
    const next = discard(chunk, state, now());
    const chunks = next.chunks.map((after) => ({ before: chunk, after }));
    if (await commitTransition(database, chunks, { before: state, after: next.state })) {
      return releasePayload(database, chunk, now());
    }
  }
  throw new StoreUnavailable('the claim is contended');
}
