import type { AccountRecord } from '../../domain/account.ts';
import { type BatchRequest, maxRecordsPerChunk } from '../../domain/batch.ts';
import type { Chunk } from '../../domain/chunk.ts';
import { Problem } from '../../domain/problem.ts';
import { commitTransition, insertChunks, loadChunk, noteHandOver, withdrawChunks } from '../../store/claims.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { chunkKey, uploadChunkKey } from '../../store/keys.ts';
import { savePayload } from '../../store/payloads.ts';
import { handOverOf, type ImportDependencies, maxRounds, timestamp } from './dependencies.ts';

export type Acceptance = {
  batch_id: string;
  type: 'account';
  chunk_index: number | null;
  records: number;
  status: 'accepted';
  duplicate: boolean;
};

/**
 * Accepts a validated batch request (contract, section 5). The claims are the commitment: once they stand, with the
 * records in the table before them, whatever dies afterwards is made good by a retry or by the sweeper.
 * @throws Problem `unavailable` when nothing was accepted.
 */
export async function acceptBatch(
  dependencies: ImportDependencies,
  teamId: string,
  request: BatchRequest,
): Promise<Acceptance> {
  const batchId = request.batch_id ?? dependencies.newId();
  const { chunk_index: index, records } = request;
  const outcome =
    index === undefined
      ? await acceptUpload(dependencies, teamId, batchId, records)
      : await acceptChunk(dependencies, teamId, batchId, index, records);
  return { batch_id: batchId, type: 'account', chunk_index: index ?? null, status: 'accepted', ...outcome };
}

type Outcome = { records: number; duplicate: boolean };

async function acceptChunk(
  dependencies: ImportDependencies,
  teamId: string,
  batchId: string,
  index: number,
  records: readonly AccountRecord[],
): Promise<Outcome> {
  const { database } = dependencies;
  const { sk: claim } = chunkKey(teamId, batchId, index);
  let fresh: Chunk | undefined;
  for (let round = 0; round < maxRounds; round++) {
    const standing = await loadChunk(database, teamId, { batch_id: batchId, claim });
    if (standing && standing.status !== 'discarded') return repeat(dependencies, standing);
    fresh ??= await prepare(dependencies, { team_id: teamId, batch_id: batchId, claim, index }, records);
    const claimed = standing
      ? await commitTransition(database, [{ before: standing, after: { ...renewed, ...fresh } }])
      : await insertChunks(database, [fresh]);
    if (claimed) {
      const chunk = standing ? { ...fresh, version: standing.version + 1 } : fresh;
      await handOverAll(dependencies, [chunk]);
      return { records: records.length, duplicate: false };
    }
  }
  throw new StoreUnavailable('the claim is contended');
}

/** What a discarded chunk had and a new acceptance of its pair does not. */
const renewed = {
  order: undefined,
  counts: undefined,
  rejections: undefined,
  failure: undefined,
  closed_at: undefined,
};

/** The pair was accepted before: its records stand. What the first request left undone is done now. */
async function repeat({ database, queue, now, newId }: ImportDependencies, chunk: Chunk): Promise<Outcome> {
  const forgotten = chunk.status === 'open' && chunk.handed_over_at === undefined;
  if (forgotten || chunk.status === 'failed') {
    await queue.send(handOverOf(chunk), forgotten ? chunk.payload_id : newId());
    await noteHandOver(database, chunk, timestamp(now()));
  }
  return { records: chunk.records, duplicate: true };
}

/** A request without `chunk_index` is never a duplicate: its chunks are keyed by this upload, and claimed together. */
async function acceptUpload(
  dependencies: ImportDependencies,
  teamId: string,
  batchId: string,
  records: readonly AccountRecord[],
): Promise<Outcome> {
  const uploadId = `${timestamp(dependencies.now())}#${dependencies.newId()}`;
  const count = Math.ceil(records.length / maxRecordsPerChunk);
  const chunks = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { sk: claim } = uploadChunkKey(teamId, batchId, uploadId, index);
      const part = records.slice(index * maxRecordsPerChunk, (index + 1) * maxRecordsPerChunk);
      return prepare(dependencies, { team_id: teamId, batch_id: batchId, claim, index }, part);
    }),
  );
  if (!(await insertChunks(dependencies.database, chunks))) throw new StoreUnavailable('the claims were not taken');
  await handOverAll(dependencies, chunks);
  return { records: records.length, duplicate: false };
}

/** Puts the records into the table, and gives the claim that is to name them. */
async function prepare(
  { database, now, newId }: ImportDependencies,
  name: Pick<Chunk, 'team_id' | 'batch_id' | 'claim' | 'index'>,
  records: readonly AccountRecord[],
): Promise<Chunk> {
  const accepted = now();
  const payload_id = newId();
  return {
    ...name,
    status: 'open',
    payload_id,
    parts: await savePayload(database, name.team_id, payload_id, records, accepted),
    records: records.length,
    accepted_at: timestamp(accepted),
    attempts: 0,
    version: 1,
  };
}

/**
 * Hands new claims to the queue, in their order, and stops at the first that it does not take, so that one file stays
 * in order; the sweeper hands over the rest. When the queue took none, nothing has been promised yet: the claims are
 * withdrawn and the caller is told to come again.
 */
async function handOverAll({ database, queue, now }: ImportDependencies, chunks: readonly Chunk[]): Promise<void> {
  const sent: Chunk[] = [];
  try {
    for (const chunk of chunks) {
      await queue.send(handOverOf(chunk), chunk.payload_id);
      sent.push(chunk);
    }
    for (const chunk of sent) await noteHandOver(database, chunk, timestamp(now()));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (sent.length === 0 && (await withdrawChunks(database, chunks))) throw error;
  }
}
