import type { AccountRecord } from '../../domain/account-record.ts';
import { type BatchAcceptance, type BatchRequest, maxRecordsPerChunk, type Pair } from '../../domain/batch.ts';
import { type Chunk, canBeAcceptedAgain, mayExceedCap, redrive } from '../../domain/chunk.ts';
import { Problem } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { acceptChunks, batchEntry, type ClaimState, loadClaimState } from '../../store/claims.ts';
import type { Upsert } from '../../store/database.ts';
import { commitTransitions, loadChunkAndState, loadImportState } from '../../store/import-work.ts';
import { chunkKey, uploadChunkKey } from '../../store/keys.ts';
import { payloadWrites, releasePayload } from '../../store/payloads.ts';
import { contendedRounds, lostRace, untilWritten } from '../retry.ts';
import type { ImportDependencies } from './dependencies.ts';
import { wake } from './wake.ts';

/** A request as it came: of a repeat nothing is looked at but the pair. */
export type PostedBatch = {
  /** Where the request names one. */
  pair: Pair | undefined;
  namesChunkCount: boolean;
  /** Of the records as they were sent; asked for where there is a pair to compare it by. */
  digest(): string;
  /** @throws Problem with everything that is wrong with the request. */
  validate(): BatchRequest;
};

/**
 * Accepts a batch request. With the transaction that writes claims, order numbers and entries among the open chunks
 * the records are accepted, and nothing that happens afterwards takes that back.
 * @throws Problem of the validation; `conflict` when `chunk_count` disagrees; `too_many_requests` at the cap on open
 * chunks; `unavailable` when the outcome is not known: sending the request again is safe.
 */
export async function acceptBatch(
  dependencies: ImportDependencies,
  teamId: string,
  posted: PostedBatch,
): Promise<BatchAcceptance> {
  const claim = posted.pair && claimOf(teamId, posted.pair);
  let draft: Draft | undefined;
  const attempt = async () => {
    const current = await loadClaimState(dependencies.database, teamId, {
      claim,
      batchId: posted.namesChunkCount ? posted.pair?.batch_id : undefined,
    });
    if (current.chunk && !canBeAcceptedAgain(current.chunk)) return repeat(dependencies, current.chunk, posted);
    draft ??= newDraft(dependencies, teamId, posted);
    refuseOtherCount(current, draft.request);
    const leftSeen = await leftWithin(dependencies, teamId, current, draft.parts.length);
    await draft.store(dependencies);
    if (!(await commit(dependencies, teamId, draft, current, leftSeen))) return lostRace;
    await wake(dependencies, teamId);
    return acceptanceOf(draft.batchId, draft.request.chunk_index, draft.request.records.length, { duplicate: false });
  };
  return untilWritten(dependencies, "the team's order counter is contended", attempt, contendedRounds);
}

const claimOf = (teamId: string, { batch_id, chunk_index }: Pair) => ({
  batch_id,
  claim: chunkKey(teamId, batch_id, chunk_index).sk,
});

function acceptanceOf(
  batch_id: string,
  chunk_index: number | undefined,
  records: number,
  outcome: Pick<BatchAcceptance, 'duplicate' | 'same_records' | 'redriven'>,
): BatchAcceptance {
  return { batch_id, type: 'account', chunk_index: chunk_index ?? null, records, status: 'accepted', ...outcome };
}

/** The pair was accepted before: its records stand. A chunk that stands failed gets another try. */
async function repeat(dependencies: ImportDependencies, chunk: Chunk, posted: PostedBatch): Promise<BatchAcceptance> {
  const redriven = chunk.status === 'failed' && (await redriveChunk(dependencies, chunk));
  // Whoever sends again may do so because the first request died before its wake.
  if (chunk.status === 'open') await wake(dependencies, chunk.team_id);
  return acceptanceOf(chunk.batch_id, chunk.index, chunk.records, {
    duplicate: true,
    same_records: posted.digest() === chunk.digest,
    ...(redriven ? { redriven } : {}),
  });
}

/**
 * Puts a failed chunk back among the open ones, at its old place in the order, and wakes the worker.
 * @returns false when it no longer stands failed.
 */
export async function redriveChunk(dependencies: RedriveDependencies, failed: Chunk): Promise<boolean> {
  const { database, now } = dependencies;
  return untilWritten(dependencies, 'the chunk is contended', async () => {
    const { chunk, state } = await loadChunkAndState(database, failed);
    if (chunk?.status !== 'failed' || chunk.order !== failed.order) return false;
    const { change, state: after } = redrive(chunk, state, now());
    const payload = await releasePayload(database, chunk, now());
    if (!(await commitTransitions(database, [{ chunk, change }], state, after, payload))) return lostRace;
    await wake(dependencies, chunk.team_id);
    return true;
  });
}

export type RedriveDependencies = Pick<ImportDependencies, 'database' | 'queue' | 'now' | 'pause' | 'onLostWake'>;

type Part = { claim: string; index: number; payload_id: string; records: readonly AccountRecord[]; items: number };

/** What is to be accepted. Its records are stored once, however many rounds the claims take. */
class Draft {
  readonly teamId: string;
  readonly request: BatchRequest;
  readonly batchId: string;
  readonly digest: string | undefined;
  readonly parts: Part[];
  #isStored = false;

  constructor(teamId: string, request: BatchRequest, batchId: string, digest: string | undefined, parts: Part[]) {
    this.teamId = teamId;
    this.request = request;
    this.batchId = batchId;
    this.digest = digest;
    this.parts = parts;
  }

  /** Puts the records into the table, and the batch on the team's list. */
  async store({ database, now }: ImportDependencies): Promise<void> {
    if (this.#isStored) return;
    const at = now();
    const payloads = await Promise.all(
      this.parts.map(async (part) => {
        const writes = await payloadWrites(this.teamId, part.payload_id, part.records, at);
        part.items = writes.length;
        return writes;
      }),
    );
    // With a chunk_count the batch is noted in the transaction instead.
    const noted: Upsert[] =
      this.request.chunk_count === undefined ? [batchEntry(this.teamId, this.batchId, timestamp(at))] : [];
    await database.write([...payloads.flat(), ...noted]);
    this.#isStored = true;
  }
}

function newDraft({ now, newId }: ImportDependencies, teamId: string, { validate, digest }: PostedBatch): Draft {
  const request = validate();
  const { chunk_index, records } = request;
  const batchId = request.batch_id ?? newId();
  if (chunk_index !== undefined) {
    const { sk: claim } = chunkKey(teamId, batchId, chunk_index);
    return new Draft(teamId, request, batchId, digest(), [
      { claim, index: chunk_index, payload_id: newId(), records, items: 0 },
    ]);
  }
  // A request without chunk_index is never a duplicate: its chunks are keyed by this upload.
  const uploadId = `${timestamp(now())}#${newId()}`;
  const count = Math.ceil(records.length / maxRecordsPerChunk);
  const parts = Array.from({ length: count }, (_, index): Part => {
    const { sk: claim } = uploadChunkKey(teamId, batchId, uploadId, index);
    const part = records.slice(index * maxRecordsPerChunk, (index + 1) * maxRecordsPerChunk);
    return { claim, index, payload_id: newId(), records: part, items: 0 };
  });
  return new Draft(teamId, request, batchId, undefined, parts);
}

/** All chunks of a batch that name a number of chunks name the same. */
function refuseOtherCount({ batch }: ClaimState, { chunk_count }: BatchRequest): void {
  if (chunk_count === undefined || batch?.chunk_count === undefined || batch.chunk_count === chunk_count) return;
  throw new Problem('conflict');
}

/** The team's `left`, read only where the counter alone cannot tell that the cap on open chunks is far. */
async function leftWithin(
  { database }: ImportDependencies,
  teamId: string,
  { counter }: ClaimState,
  more: number,
): Promise<number> {
  if (!mayExceedCap(counter, more)) return counter.left_seen;
  const { left } = await loadImportState(database, teamId);
  if (mayExceedCap({ ...counter, left_seen: left }, more)) throw new Problem('too_many_requests');
  return left;
}

function commit(
  { database, now }: ImportDependencies,
  teamId: string,
  { request: { chunk_count }, batchId, digest, parts }: Draft,
  current: ClaimState,
  leftSeen: number,
): Promise<boolean> {
  const accepted_at = timestamp(now());
  const chunks = parts.map(
    ({ claim, index, payload_id, records, items }, position): Chunk => ({
      team_id: teamId,
      batch_id: batchId,
      claim,
      index,
      status: 'open',
      order: current.counter.last_order + 1 + position,
      payload_id,
      parts: items,
      records: records.length,
      ...(digest === undefined ? {} : { digest }),
      accepted_at,
    }),
  );
  const isNewCount = chunk_count !== undefined && current.batch?.chunk_count === undefined;
  const count = isNewCount ? { chunk_count, now: accepted_at } : undefined;
  return acceptChunks(database, teamId, { chunks, current, leftSeen, count });
}
