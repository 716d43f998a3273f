import { type BatchStatus, batchListLimits, batchStatus, maxRecordsPerChunk } from '../../domain/batch.ts';
import { invalidRequest, notFound } from '../../domain/problem.ts';
import { listBatchIds, loadBatch, loadChunk } from '../../store/claims.ts';
import type { Database } from '../../store/database.ts';
import { chunkKey } from '../../store/keys.ts';

/** No batch has a longer id; the table would not take it as a key. */
const maxIdLength = 256;

/** @throws Problem `not_found` when the team has no such batch. */
export async function readBatch(
  { database }: { database: Database },
  teamId: string,
  batchId: string,
): Promise<BatchStatus> {
  if (batchId.length > maxIdLength) throw notFound();
  const { chunks, head } = await loadBatch(database, teamId, batchId);
  const status = batchStatus(batchId, chunks, { expected: head.chunk_count });
  if (!status) throw notFound();
  return status;
}

/**
 * Of one chunk alone, with every record of it that was rejected.
 * @throws Problem `not_found` when the team has no such batch, or chunk.
 */
export async function readChunk(
  { database }: { database: Database },
  teamId: string,
  batchId: string,
  chunkIndex: number,
): Promise<BatchStatus> {
  if (batchId.length > maxIdLength) throw notFound();
  const { sk: claim } = chunkKey(teamId, batchId, chunkIndex);
  const chunk = await loadChunk(database, teamId, { batch_id: batchId, claim });
  const status = batchStatus(batchId, chunk ? [chunk] : [], { most: maxRecordsPerChunk });
  if (!status) throw notFound();
  return status;
}

export type BatchList = {
  batches: Omit<BatchStatus, 'errors'>[];
  limit: number;
  has_more: boolean;
  next_cursor?: string;
};

/**
 * The team's batches, those begun last first. A cursor belongs to the limit that it was given with.
 * @throws Problem `invalid_request` when the cursor is none of ours, or `limit` another.
 */
export async function listBatches(
  { database }: { database: Database },
  teamId: string,
  sent: { limit?: number | undefined; cursor?: string | undefined },
): Promise<BatchList> {
  const cursor = sent.cursor === undefined ? undefined : readCursor(sent.cursor);
  if (cursor && sent.limit !== undefined && sent.limit !== cursor.limit) {
    throw invalidRequest({ path: 'limit', message: 'must be as in the query that gave the cursor, or be left out' });
  }
  const limit = cursor?.limit ?? sent.limit ?? batchListLimits.default;
  const { ids, next } = await listBatchIds(database, teamId, limit, cursor?.after);
  const states = await Promise.all(
    ids.map(async (batchId) => {
      const { chunks, head } = await loadBatch(database, teamId, batchId);
      return batchStatus(batchId, chunks, { expected: head.chunk_count });
    }),
  );
  const batches = states.flatMap((state) => {
    // Noted before its first chunk, which then was not accepted.
    if (!state) return [];
    const { errors: _, ...shown } = state;
    return [shown];
  });
  const page = { batches, limit, has_more: next !== undefined };
  return next === undefined ? page : { ...page, next_cursor: writeCursor({ limit, after: next }) };
}

type BatchCursor = { limit: number; after: string };

/** It names nothing but a batch of the team's own, and is read only among those. */
const writeCursor = ({ limit, after }: BatchCursor): string =>
  Buffer.from(JSON.stringify([limit, after])).toString('base64url');

function readCursor(text: string): BatchCursor {
  try {
    const [limit, after] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [unknown, unknown];
    const isLimit = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= batchListLimits.maximum;
    if (isLimit && typeof after === 'string' && after !== '') return { limit: Number(limit), after };
  } catch {
    // Reported below.
  }
  throw invalidRequest({ path: 'cursor', message: 'is not a cursor of this list' });
}
