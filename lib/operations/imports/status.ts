import { type BatchStatus, batchStatus } from '../../domain/batch.ts';
import { notFound } from '../../domain/problem.ts';
import { loadBatch } from '../../store/claims.ts';
import type { Database } from '../../store/database.ts';

/** Longer names than any batch can have need not be looked for; the table would not take them as a key. */
const maxNameLength = 256;

/** @throws Problem `not_found` when the team has no such batch. */
export async function readBatch(
  { database }: { database: Database },
  teamId: string,
  batchId: string,
): Promise<BatchStatus> {
  if (batchId.length > maxNameLength) throw notFound();
  const status = batchStatus(batchId, await loadBatch(database, teamId, batchId));
  if (!status) throw notFound();
  return status;
}
