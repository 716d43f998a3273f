import { type BatchStatus, batchStatus, maxRecordsPerChunk } from '../../domain/batch.ts';
import type { Chunk } from '../../domain/chunk.ts';
import { notFound } from '../../domain/problem.ts';
import { loadBatch, loadChunk } from '../../store/claims.ts';
import type { Database } from '../../store/database.ts';
import { chunkKey } from '../../store/keys.ts';

/** Longer names than any batch can have need not be looked for; the table would not take them as a key. */
const maxNameLength = 256;

/**
 * With a `chunkIndex`, of that chunk alone, and every record of it that was rejected.
 * @throws Problem `not_found` when the team has no such batch, or chunk.
 */
export async function readBatch(
  { database }: { database: Database },
  teamId: string,
  batchId: string,
  chunkIndex?: number,
): Promise<BatchStatus> {
  if (batchId.length > maxNameLength) throw notFound();
  const status =
    chunkIndex === undefined
      ? batchStatus(batchId, await loadBatch(database, teamId, batchId))
      : batchStatus(batchId, await oneChunk(database, teamId, batchId, chunkIndex), maxRecordsPerChunk);
  if (!status) throw notFound();
  return status;
}

async function oneChunk(database: Database, teamId: string, batchId: string, index: number): Promise<Chunk[]> {
  const { sk: claim } = chunkKey(teamId, batchId, index);
  const chunk = await loadChunk(database, teamId, { batch_id: batchId, claim });
  return chunk ? [chunk] : [];
}
