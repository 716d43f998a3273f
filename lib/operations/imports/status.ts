import { maxRecordsPerChunk } from '../../domain/imports/batch.ts';
import { batchListPages } from '../../domain/imports/batch-list.ts';
import type { BatchList, BatchStatus } from '../../domain/imports/batch-responses.ts';
import { batchStatusOf } from '../../domain/imports/batch-status.ts';
import { notFound } from '../../domain/values/problem.ts';
import { listBatchIds, loadBatch, loadChunk } from '../../store/imports/claims.ts';
import type { Database } from '../../store/table/database.ts';
import { chunkKey } from '../../store/table/keys.ts';
import { requestedPage } from '../access/cursors.ts';
import type { Service } from '../service.ts';

/** Maximum length of a batch id. The table would reject a key with a longer one. */
const maxIdLength = 256;

/**
 * The status of a batch. With `chunkIndex`, the status of that chunk only, with all its rejected records.
 * @throws Problem `not_found` if the team has no such batch, or the batch has no such chunk.
 */
export async function readBatch(
  { database }: Pick<Service, 'database'>,
  teamId: string,
  batchId: string,
  chunkIndex?: number,
): Promise<BatchStatus> {
  if (batchId.length > maxIdLength) throw notFound();
  const read =
    chunkIndex === undefined ? wholeBatch(database, teamId, batchId) : oneChunk(database, teamId, batchId, chunkIndex);
  const status = await read;
  if (!status) throw notFound();
  return status;
}

async function wholeBatch(database: Database, teamId: string, batchId: string): Promise<BatchStatus | undefined> {
  const { chunks, head } = await loadBatch(database, teamId, batchId);
  return batchStatusOf(batchId, chunks, { expected: head.chunk_count });
}

async function oneChunk(
  database: Database,
  teamId: string,
  batchId: string,
  chunkIndex: number,
): Promise<BatchStatus | undefined> {
  const { sk: claim } = chunkKey(teamId, batchId, chunkIndex);
  const chunk = await loadChunk(database, teamId, { batch_id: batchId, claim });
  return batchStatusOf(batchId, chunk ? [chunk] : [], { most: maxRecordsPerChunk });
}

/**
 * A page of the team's batches, newest first.
 * @throws Problem `invalid_request` if the cursor is invalid, or `limit` differs from the cursor's limit.
 */
export async function listBatches(
  { database }: Pick<Service, 'database'>,
  teamId: string,
  { limit: sent, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<BatchList> {
  const { query, after, end } = await requestedPage(database, teamId, batchListPages, cursor, { limit: sent });
  const { limit } = query;
  const batches: BatchList['batches'] = [];
  let next = after;
  do {
    const found = await listBatchIds(database, teamId, limit - batches.length, next);
    const statuses = await Promise.all(found.ids.map((batchId) => wholeBatch(database, teamId, batchId)));
    // A batch is listed before its first chunk is accepted, and that acceptance can fail.
    for (const { errors: _, ...shown } of statuses.filter((status) => status !== undefined)) batches.push(shown);
    next = found.next;
  } while (next !== undefined && batches.length < limit);
  return { batches, limit, ...(await end(next)) };
}
